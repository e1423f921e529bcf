import DataLoader from 'dataloader';
import { type Collection } from 'mongoose';
import { blankCompany, type CompanyRecord } from '../company/company.record.js';
import { type ReplyBudget, asBytes } from '../paging/reply-budget.js';
import { projectionOf } from '../paging/query.rules.js';
import { allInOneBatch } from '../database/all-in-one-batch.js';
import { findWithTimeLimit } from '../database/with-time-limit.js';
import { ReadableRecords } from '../database/readable-records.js';
import { recordReader } from '../database/record-reader.js';
import { memoize } from '../memoize.js';
import { companySchema } from '../company/company.mongoose.js';
import { type Employer, type JobRecord } from './job.record.js';

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
