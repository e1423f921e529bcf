import { type AggregateOptions, type Document } from 'mongodb';
import { type Model } from 'mongoose';
import { type CompanyRecord } from '../company/company.model.js';
import { membershipIn } from '../company/membership.rules.js';
import { withoutHistory } from '../history/versioned-records.js';
import { type JobRecord } from './job.model.js';

/** A company as far as its jobs need it: their rules, and what is shown of it with them. */
export type Employer = Pick<
  CompanyRecord,
  'publicId' | 'name' | 'brand' | 'memberships' | 'offices' | 'createdBy'
>;

/** A job together with the company that it belongs to. */
export interface JobOfCompany {
  job: JobRecord;
  company: Employer;
}

const asEmployer = {
  _id: 0,
  publicId: 1,
  name: 1,
  brand: 1,
  memberships: 1,
  offices: 1,
  createdBy: 1,
} satisfies Record<keyof Employer | '_id', 0 | 1>;

/**
 * The jobs that the first stages of a pipeline choose, each with its company. A job whose company is gone, or has left the
 * job's media, has none: it is out of everybody's reach (Contract 5.6.4). One command reads both: a round trip costs
 * more than all that is done with them.
 */
export async function* readJobsWithEmployers(
  { jobs, companies }: { jobs: Model<JobRecord>; companies: Model<CompanyRecord> },
  choice: Document[],
  { leftOut = withoutHistory, ...options }: AggregateOptions & { leftOut?: Record<string, 0> } = {},
): AsyncGenerator<{ job: JobRecord; company: Employer | undefined }> {
  const found = jobs.collection.aggregate<{ job: JobRecord; employers: Employer[] }>(
    [
      ...choice,
      { $project: leftOut },
      { $replaceWith: { job: '$$ROOT' } },
      {
        $lookup: {
          from: companies.collection.name,
          localField: 'job.company',
          foreignField: 'publicId',
          pipeline: [{ $project: asEmployer }],
          as: 'employers',
        },
      },
    ],
    options,
  );
  for await (const { job, employers } of found)
    yield { job, company: employers.find((employer) => membershipIn(employer, job.media)) };
}
