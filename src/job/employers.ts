import DataLoader from 'dataloader';
import { type Document } from 'mongodb';
import { type Collection } from 'mongoose';
import { membershipIn } from '../permissions/reach.rules.js';
import { blankCompany, type CompanyRecord } from '../company/company.record.js';
import { type ReplyBudget, asBytes, decode } from '../paging/reply-budget.js';
import { projectionOf } from '../paging/query.rules.js';
import { allInOneBatch } from '../database/all-in-one-batch.js';
import { findWithTimeLimit } from '../database/with-time-limit.js';
import { ReadableRecords } from '../database/readable-records.js';
import { recordReader } from '../database/record-reader.js';
import { memoize } from '../memoize.js';
import { companySchema } from '../company/company.mongoose.js';
import { blankJob, type Employer, type JobOfCompany, type JobRecord } from './job.record.js';

/** Stored paths to read. */
export interface JobPaths {
  readonly job?: ReadonlySet<string>;
  readonly company?: ReadonlySet<string>;
}

export interface JoinedJob {
  job: JobRecord;
  /** Undefined if no path of it is selected, or if the company is gone or cannot be read. */
  company: Employer | undefined;
}

interface ReadCompany {
  company: CompanyRecord;
  bytes: number;
  isCharged: boolean;
}

type Loader = DataLoader<string, ReadCompany | undefined>;

const employerReading = memoize((paths: ReadonlySet<string>) => {
  const all = [
    ...['publicId', 'memberships.media'],
    ...[...paths].map((path) => (path === 'office' ? 'offices' : path)),
  ];
  return {
    ...recordReader<CompanyRecord>(blankCompany, projectionOf(all)),
    readable: new ReadableRecords(companySchema, all),
  };
});

/** Reads the companies of a page of jobs with one command, and each company once per document and selection. */
export class EmployerLoader {
  private readonly loaders = new WeakMap<ReplyBudget, Map<string, Loader>>();

  constructor(
    private readonly companies: Collection<CompanyRecord>,
    private readonly maxTimeMS: number,
  ) {}

  /**
   * Reads companies only if paths of them are selected.
   * @returns the jobs with their companies, until a company does not fit into the budget: the first job is always returned
   */
  async join(
    jobs: readonly JobRecord[],
    paths: ReadonlySet<string>,
    budget: ReplyBudget,
  ): Promise<JoinedJob[]> {
    if (paths.size === 0) return jobs.map((job) => ({ job, company: undefined }));
    const loader = this.loaderOf(budget, paths);
    const found = await Promise.all(jobs.map((job) => loader.load(String(job.company))));
    const joined: JoinedJob[] = [];
    for (const [index, job] of jobs.entries()) {
      const read = found[index];
      if (read && !read.isCharged) {
        read.isCharged = true;
        if (!budget.take(read.bytes) && index > 0) break;
      }
      joined.push({ job, company: read && withOffice(read.company, job) });
    }
    return joined;
  }

  private loaderOf(budget: ReplyBudget, paths: ReadonlySet<string>): Loader {
    const loaders = this.loaders.get(budget) ?? new Map<string, Loader>();
    this.loaders.set(budget, loaders);
    const selection = [...paths].join();
    const loader =
      loaders.get(selection) ?? new DataLoader((publicIds: readonly string[]) => this.read(publicIds, paths));
    loaders.set(selection, loader);
    return loader;
  }

  private async read(publicIds: readonly string[], paths: ReadonlySet<string>) {
    const { projection, decode: decodeCompany, readable } = employerReading(paths);
    const options = { ...asBytes, ...allInOneBatch, projection, maxTimeMS: this.maxTimeMS };
    const found = new Map<string, ReadCompany>();
    const filter = { publicId: { $in: publicIds } };
    for (const bytes of await findWithTimeLimit<Uint8Array>(this.companies, filter, options)) {
      const company = decodeCompany(bytes);
      if (readable.has(this.companies, company))
        found.set(company.publicId, { company, bytes: bytes.length, isCharged: false });
    }
    return publicIds.map((publicId) => found.get(publicId));
  }
}

function withOffice(company: CompanyRecord, { office }: Pick<JobRecord, 'office'>): Employer {
  if (!office) return company;
  return { ...company, office: company.offices.find(({ _id }) => _id.equals(office)) ?? null };
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
