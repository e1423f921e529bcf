import DataLoader from 'dataloader';
import { type Collection } from 'mongoose';
import { type CompanyRecord, type Office } from '../company/company.model.js';
import { type AnswerBudget, asBytes, decode } from '../paging/answer-budget.js';
import { projectionOf } from '../paging/query.rules.js';
import { inOneReply } from '../database/in-one-reply.js';
import { findInTime } from '../database/slow-query.js';
import { soundness } from '../database/damage.js';
import { companySchema, officeSchema } from '../company/company.schema.js';
import { type ReportDamaged } from '../log/damaged-records.js';
import { type Employer, type JobRecord } from './job.model.js';
import { jobSchema } from './job.schema.js';
import { type JobPaths } from './job.view.js';

export interface JoinedJob {
  job: JobRecord;
  /** Undefined if no path of it is selected, or if the company is gone. */
  company: Employer | undefined;
}

interface ReadCompany {
  company: CompanyRecord;
  bytes: number;
  isCharged: boolean;
}

type Loader = DataLoader<string, ReadCompany | undefined>;

/** Reads the companies of a page of jobs with one command, and each company once per document and selection. */
export class Employers {
  private readonly loaders = new WeakMap<AnswerBudget, Map<string, Loader>>();

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
    budget: AnswerBudget,
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

  private loaderOf(budget: AnswerBudget, paths: ReadonlySet<string>): Loader {
    const loaders = this.loaders.get(budget) ?? new Map<string, Loader>();
    this.loaders.set(budget, loaders);
    const selection = [...paths].join();
    const loader =
      loaders.get(selection) ?? new DataLoader((publicIds: readonly string[]) => this.read(publicIds, paths));
    loaders.set(selection, loader);
    return loader;
  }

  private async read(publicIds: readonly string[], paths: ReadonlySet<string>) {
    const projection = projectionOf(
      ['publicId', 'memberships.media'],
      [...paths].map((path) => (path === 'office' ? 'offices' : path)),
    );
    const options = { ...asBytes, ...inOneReply, projection, maxTimeMS: this.maxTimeMS };
    const found = new Map<string, ReadCompany>();
    const filter = { publicId: { $in: publicIds } };
    for (const bytes of await findInTime<Uint8Array>(this.companies, filter, options)) {
      const company = decode<CompanyRecord>(bytes);
      found.set(company.publicId, { company, bytes: bytes.length, isCharged: false });
    }
    return publicIds.map((publicId) => found.get(publicId));
  }
}

function withOffice(company: CompanyRecord, { office }: Pick<JobRecord, 'office'>): Employer {
  const { offices } = company as { offices: unknown };
  // Damaged companies can have anything here.
  if (!office || !Array.isArray(offices)) return company;
  const found = (offices as (Office | null)[]).find((each) => String(each?._id) === String(office));
  return { ...company, office: found ?? null };
}

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
