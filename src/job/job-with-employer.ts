import { type Document } from 'mongodb';
import { type Collection } from 'mongoose';
import { type CompanyRecord, membershipIn, type Office } from '../company/company.model.js';
import { projectionOf } from '../content/shown-fields.js';
import { type JobRecord } from './job.model.js';

/** The company of a job, and the company office where the job is based. */
export interface Employer extends CompanyRecord {
  /** Check that its `_id` equals the job's `office`: if the company lacks the job's office, this is another office or none. */
  office?: Office | null | undefined;
}

/** A job and its company, each with the requested paths. */
export interface JobOfCompany {
  job: JobRecord;
  company: Employer;
}

/** One document that the stages of {@link withEmployer} return. `employers` has the job's company, or is empty if the company is gone. */
export interface ReadJob extends Pick<Employer, 'office'> {
  job: JobRecord;
  employers: Employer[];
}

/** The stored paths that a reply needs: `job` from the job, and `company` from the job's company. */
export interface JobPaths {
  readonly job?: ReadonlySet<string>;
  readonly company?: ReadonlySet<string>;
}

/**
 * The aggregation stages that read matched jobs, each with its company. A second command for the companies would double the
 * cost of reading one job, and add a round trip to reading a page. A separate stage projects the companies, because databases
 * rerun a pipeline inside `$lookup` for each job.
 * @param job projection of the jobs
 * @param employer paths of the companies; `memberships.media` is always added
 */
export function withEmployer(
  { collectionName: from }: Collection<CompanyRecord>,
  job: Document,
  employer: Iterable<string> = [],
): readonly Document[] {
  const paths = [...employer, 'memberships.media'];
  return [
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
}

/** Keeps only the job's office. Without this, each job of a page would return all offices of its company, which can be a thousand. */
const takingOffice = [
  { $set: { offices: { $arrayElemAt: ['$employers.offices', 0] } } },
  { $set: { office: { $arrayElemAt: ['$offices', { $indexOfArray: ['$offices._id', '$job.office'] }] } } },
];

/**
 * Returns the company of a job. Undefined if the company is gone or has left the media: nobody can reach such a job (Contract
 * 5.6.4).
 */
export function employerOf({ job, employers, office }: ReadJob): Employer | undefined {
  const employer = employers.find((each) => membershipIn(each, job.media));
  return employer && { ...employer, office };
}
