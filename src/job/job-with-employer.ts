import { type Document } from 'mongodb';
import { type Collection } from 'mongoose';
import { type CompanyRecord, membershipIn, type Office } from '../company/company.model.js';
import { projectionOf } from '../content/shown-fields.js';
import { type JobRecord } from './job.model.js';

/** A company as far as the rules of its jobs need it, and as it is shown with one of its jobs. */
export interface Employer extends CompanyRecord {
  /** The office of the job; another one, or none, if the company does not have that. */
  office?: Office | null | undefined;
}

/** A job and the company that it belongs to, each with the paths that were asked for. */
export interface JobOfCompany {
  job: JobRecord;
  company: Employer;
}

/** A job as it is read. `employers` are the companies with the public id of its company. */
export interface ReadJob extends Pick<Employer, 'office'> {
  job: JobRecord;
  employers: Employer[];
}

/** The stored paths of jobs and of their companies that are shown. */
export interface JobPaths {
  readonly job?: ReadonlySet<string>;
  readonly company?: ReadonlySet<string>;
}

/**
 * The stages that read chosen jobs, each with its company: for one job a second command would cost more than all else, and for a
 * page it takes a round trip. The company's paths are taken by a stage of their own: databases run a pipeline within a lookup anew
 * for each job.
 * @param job a projection of the jobs
 * @param employer paths of their companies, besides those that say which media they are in
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

/** Of the offices only the job's is sent: a company may have a thousand, and each job of a page would bring them all. */
const takingOffice = [
  { $set: { offices: { $arrayElemAt: ['$employers.offices', 0] } } },
  { $set: { office: { $arrayElemAt: ['$offices', { $indexOfArray: ['$offices._id', '$job.office'] }] } } },
];

/** The company of a job; undefined if it is gone or has left the media: then nobody reaches the job (Contract 5.6.4). */
export function employerOf({ job, employers, office }: ReadJob): Employer | undefined {
  const employer = employers.find((each) => membershipIn(each, job.media));
  return employer && { ...employer, office };
}
