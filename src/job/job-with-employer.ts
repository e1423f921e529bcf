import { type Document } from 'mongodb';
import { type Collection } from 'mongoose';
import { type CompanyRecord, membershipIn, type Office } from '../company/company.model.js';
import { projectionOf } from '../content/shown-fields.js';
import { type JobRecord } from './job.model.js';

/** The company of a job, and the job's office in it. */
export interface Employer extends CompanyRecord {
  /** Compare its `_id` with the job's `office`: if the company lacks that office, this is another office, or none. */
  office?: Office | null | undefined;
}

/** A job and its company, each with the requested paths. */
export interface JobOfCompany {
  job: JobRecord;
  company: Employer;
}

/** The result of {@link withEmployer}. `employers` are all companies with the public id that the job stores. */
export interface ReadJob extends Pick<Employer, 'office'> {
  job: JobRecord;
  employers: Employer[];
}

/** The stored paths of jobs and of their companies that a reply needs. */
export interface JobPaths {
  readonly job?: ReadonlySet<string>;
  readonly company?: ReadonlySet<string>;
}

/**
 * The aggregation stages that read matched jobs, each with its company. Reading the companies in a second command would
 * double the cost of one job, and add a round trip to a page. The companies are projected in a separate stage, because
 * databases rerun a pipeline inside `$lookup` for each job.
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

/** Keeps only the job's office. A company can have a thousand offices, and each job of a page would return them all. */
const takingOffice = [
  { $set: { offices: { $arrayElemAt: ['$employers.offices', 0] } } },
  { $set: { office: { $arrayElemAt: ['$offices', { $indexOfArray: ['$offices._id', '$job.office'] }] } } },
];

/**
 * The company of a job. Undefined if the company is gone or has left the media; nobody can reach the job then (Contract
 * 5.6.4).
 */
export function employerOf({ job, employers, office }: ReadJob): Employer | undefined {
  const employer = employers.find((each) => membershipIn(each, job.media));
  return employer && { ...employer, office };
}
