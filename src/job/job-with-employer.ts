import { type AbstractCursor, type AggregateOptions, type Document } from 'mongodb';
import { type Model } from 'mongoose';
import { type CompanyRecord } from '../company/company.model.js';
import { membershipIn } from '../company/membership.rules.js';
import { projectionOf } from '../content/projection.js';
import { type JobRecord } from './job.model.js';

/** A company as far as its jobs need it: their rules, and what is shown of it with them. */
export type Employer = Pick<
  CompanyRecord,
  'publicId' | 'name' | 'brand' | 'memberships' | 'offices' | 'createdBy'
>;

/** A job together with the company that it belongs to, each as far as it was asked for. */
export interface JobOfCompany {
  job: JobRecord;
  company: Employer;
}

/** What is shown of jobs: stored paths of theirs and of their companies. */
export interface JobPaths {
  readonly job?: ReadonlySet<string>;
  readonly company?: ReadonlySet<string>;
}

/** What is read of jobs, as a projection, and the paths that are read of their companies. */
export interface JobRead {
  job: Document;
  employer?: Iterable<string> | undefined;
}

interface Collections {
  jobs: Model<JobRecord>;
  companies: Model<CompanyRecord>;
}

/** A job as it is read, and the companies that have the public id of its company, where those are read. */
export interface ReadJob {
  job: JobRecord;
  employers?: Employer[];
}

/**
 * The jobs that the first stages of a pipeline choose, each with its company where anything is to be read of that. One
 * command reads both: a round trip costs more than all that is done with them.
 */
export const readJobs = (
  { jobs, companies }: Collections,
  choice: Document[],
  { job, employer, ...options }: AggregateOptions & JobRead,
): AbstractCursor<ReadJob> =>
  jobs.collection.aggregate<ReadJob>(
    [
      ...choice,
      { $project: job },
      { $replaceWith: { job: '$$ROOT' } },
      ...(employer ? [lookupOf(companies, employer)] : []),
    ],
    options,
  );

const lookupOf = (companies: Collections['companies'], employer: Iterable<string>) => ({
  $lookup: {
    from: companies.collection.name,
    localField: 'job.company',
    foreignField: 'publicId',
    pipeline: [{ $project: projectionOf(employer, ['memberships.media']) }],
    as: 'employers',
  },
});

/** A job whose company is gone, or has left the job's media, has none: it is out of everybody's reach (Contract 5.6.4). */
export const employerOf = ({ job, employers = [] }: ReadJob): Employer | undefined =>
  employers.find((employer) => membershipIn(employer, job.media));

/** The companies of these jobs that are in their media, by public id, and nothing else of them. */
export async function employersIn(
  companies: Model<CompanyRecord>,
  media: string,
  jobs: readonly JobRecord[],
  maxTimeMS: number,
): Promise<Map<string, Employer>> {
  if (jobs.length === 0) return new Map();
  const publicIds = [...new Set(jobs.map(({ company }) => company))];
  const found = await companies.collection
    .find<Employer>(
      { publicId: { $in: publicIds }, 'memberships.media': media },
      { projection: projectionOf(['publicId']), maxTimeMS },
    )
    .toArray();
  return new Map(found.map((company) => [company.publicId, company]));
}
