import { type AbstractCursor, type AggregateOptions, type Document } from 'mongodb';
import { type Model } from 'mongoose';
import { type CompanyRecord, membershipIn, type Office } from '../company/company.model.js';
import { projectionOf } from '../content/projection.js';
import { type JobRecord } from './job.model.js';

/** The fields of a company that the rules of its jobs need, or that are shown with one of its jobs. */
export type Employer = Pick<CompanyRecord, 'publicId' | 'name' | 'brand' | 'memberships' | 'createdBy'> & {
  /** The office of the job; another one, or none, if the company does not have that. */
  office?: Office | null | undefined;
};

/** A job and the company that it belongs to, each with the paths that were asked for. */
export interface JobOfCompany {
  job: JobRecord;
  company: Employer;
}

/** The stored paths of jobs and of their companies that are shown. */
export interface JobPaths {
  readonly job?: ReadonlySet<string>;
  readonly company?: ReadonlySet<string>;
}

/** What is read: a projection of the jobs, and paths of their companies. */
export interface JobRead {
  job: Document;
  employer?: Iterable<string> | undefined;
}

interface Collections {
  jobs: Model<JobRecord>;
  companies: Model<CompanyRecord>;
}

/** A job as it is read. If companies are read too, `employers` are those with the public id of its company. */
interface ReadJob extends Pick<Employer, 'office'> {
  job: JobRecord;
  employers?: Employer[];
}

/**
 * The jobs that the given first stages choose, each with its company if any path of that is wanted. One command reads both: for
 * one job a second one would cost more than all else. For a page two would take less time on some servers, not on one far away.
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
      ...(employer ? joining(companies, employer) : []),
    ],
    options,
  );

/** The paths are taken by a stage of its own: databases run a pipeline within a lookup anew for each job. */
const joining = ({ collection: { name: from } }: Collections['companies'], employer: Iterable<string>) => {
  const paths = [...employer, 'memberships.media'];
  return [
    { $lookup: { from, localField: 'job.company', foreignField: 'publicId', as: 'employers' } },
    ...(paths.includes('office') ? takingOffice : []),
    {
      $project: projectionOf(
        ['job'],
        paths.map((path) => (path === 'office' ? path : `employers.${path}`)),
      ),
    },
  ];
};

/** Of the offices only the job's is sent: a company may have a thousand, and each job of a page would bring them all. */
const takingOffice = [
  { $set: { offices: { $arrayElemAt: ['$employers.offices', 0] } } },
  { $set: { office: { $arrayElemAt: ['$offices', { $indexOfArray: ['$offices._id', '$job.office'] }] } } },
];

/** The company of a job; undefined if it is gone or has left the media: then nobody reaches the job (Contract 5.6.4). */
export function employerOf({ job, employers = [], office }: ReadJob): Employer | undefined {
  const employer = employers.find((each) => membershipIn(each, job.media));
  return employer && { ...employer, office };
}

/** The companies of these jobs that are in the media, by public id. Nothing but the public id is read. */
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
