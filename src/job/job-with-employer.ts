import { type Document } from 'mongodb';
import { type Collection } from 'mongoose';
import { type CompanyRecord } from '../company/company.model.js';
import { membershipIn } from '../company/company-identity.rules.js';
import { companySchema, officeSchema } from '../company/company.schema.js';
import { projectionOf } from '../paging/query.rules.js';
import { soundness } from '../database/damage.js';
import { type ReportDamaged } from '../log/damaged-records.js';
import { type Employer, type JobRecord } from './job.model.js';
import { jobSchema } from './job.schema.js';

/** A document from {@link withEmployer}. `employers` is empty if the company is gone. */
export interface ReadJob extends Pick<Employer, 'office'> {
  job: JobRecord;
  employers: Employer[];
}

export interface JobPaths {
  readonly job?: ReadonlySet<string>;
  readonly company?: ReadonlySet<string>;
}

/**
 * The stages that read one job with its company: a second command would double the cost. A separate stage projects the company:
 * databases rerun a pipeline inside `$lookup`.
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

const officeOfJob = { $arrayElemAt: ['$offices', { $indexOfArray: ['$offices._id', '$job.office'] }] };

/** Keeps only the job's office: a company can have a thousand offices. */
const takingOffice = [
  { $set: { offices: { $arrayElemAt: ['$employers.offices', 0] } } },
  // Offices that are damaged, and an object, would make the whole command fail. In the order of types, an array follows an object.
  { $set: { office: { $cond: [{ $gt: ['$offices', []] }, officeOfJob, null] } } },
];

/**
 * @param paths the paths that were read
 * @returns a function that returns true if the job and its company are sound, and otherwise reports one of them
 */
export function soundJobs({ job = [], company = [] }: { [Record in keyof JobPaths]: Iterable<string> }) {
  const isSoundJob = soundness('job', jobSchema, ['publicId', 'media', 'company', ...job]);
  const isSoundCompany = soundness('company', companySchema, ['memberships.media', ...company]);
  const isSoundOffice = soundness('company', officeSchema);
  return (found: JobRecord, employer: Employer | undefined, report: ReportDamaged): boolean =>
    isSoundJob(found, found.publicId, report) &&
    (!employer || isSoundCompany(employer, found.company, report)) &&
    (employer?.office == null || isSoundOffice(employer.office, found.company, report));
}

/** Undefined if the company is gone or has left the media: nobody can reach such a job (Contract 5.6.4). */
export function employerOf({ job, employers, office }: ReadJob): Employer | undefined {
  const employer = employers.find((each) => membershipIn(each, job.media));
  return employer && { ...employer, office };
}
