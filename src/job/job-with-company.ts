import { type Document } from 'mongodb';
import { type Collection } from 'mongoose';
import { blankCompany, type CompanyRecord } from '../company/company.record.js';
import { recordReader } from '../database/record-reader.js';
import { allOf, projectionOf, type Query } from '../paging/query.rules.js';
import { decode } from '../paging/reply-budget.js';
import { membershipIn, reachAnywhere, reachIn, reachQuery } from '../permissions/reach.rules.js';
import { type Caller } from '../tokens/caller.js';
import { blankJob, type Employer, type JobOfCompany, type JobRecord } from './job.record.js';

/** Matches the jobs of a media within a caller's reach, also jobs of companies that have left it. */
export const jobsIn = (caller: Caller, media: string): Query =>
  allOf({ media }, reachQuery(reachIn(caller, media)));

/**
 * For a job whose media is not known yet. Jobs out of reach don't match, so they are neither joined nor decoded, and response times don't
 * tell them from absent jobs.
 */
export const jobsAnywhere = (caller: Caller): Query =>
  allOf(caller.media && { media: { $in: [...caller.media] } }, reachQuery(reachAnywhere(caller)));

/** Stored paths to read. */
export interface JobPaths {
  readonly job?: ReadonlySet<string>;
  readonly company?: ReadonlySet<string>;
}

/** A document of {@link jobWithCompany}. `employers` is empty if the company is gone. */
interface ReadJob extends Pick<Employer, 'office'> {
  job: JobRecord;
  employers: Employer[];
}

/** How to read one job with its company. */
export interface JobWithCompanyQuery {
  stages: readonly Document[];
  /** Undefined if the company is gone or has left the media: nobody can reach such a job. */
  decode: (bytes: Uint8Array) => JobOfCompany | undefined;
}

/**
 * Reads one job with its company: a second command would double the cost. A separate stage projects the company: databases rerun a
 * pipeline inside `$lookup`.
 * @param job projection of the jobs
 * @param employer paths of the companies; `memberships.media` is always added
 */
export function jobWithCompany(
  { collectionName: from }: Collection<CompanyRecord>,
  job: Document,
  employer: Iterable<string> = [],
): JobWithCompanyQuery {
  const paths = [...employer, 'memberships.media'];
  const ofJob = recordReader<JobRecord>(blankJob, job);
  const ofCompany = recordReader<Employer>(blankCompany, projectionOf(paths));
  const stages = [
    { $project: job },
    { $replaceWith: { job: '$$ROOT' } },
    { $lookup: { from, localField: 'job.company', foreignField: 'publicId', as: 'employers' } },
    ...(paths.includes('office') ? takingOffice : []),
    {
      $project: projectionOf(
        ['job'],
        paths.map((path) => (path === 'office' ? path : `employers.${path}`)),
      ),
    },
  ];
  return {
    stages,
    decode: (bytes) => {
      const read = decode<ReadJob>(bytes);
      const company = employerOf(read);
      return company && { job: ofJob.complete(read.job), company: ofCompany.complete(company) };
    },
  };
}

const officeOfJob = { $arrayElemAt: ['$offices', { $indexOfArray: ['$offices._id', '$job.office'] }] };

/** Keeps only the job's office: a company can have a thousand offices. */
const takingOffice = [
  { $set: { offices: { $arrayElemAt: ['$employers.offices', 0] } } },
  { $set: { office: officeOfJob } },
];

function employerOf({ job, employers, office }: ReadJob): Employer | undefined {
  const employer = employers.find((each) => membershipIn(each, job.media));
  return employer && { ...employer, office };
}
