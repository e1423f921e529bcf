import { memoize1 } from '@graphql-tools/utils';
import DataLoader from 'dataloader';
import { type Collection } from 'mongoose';
import { type CompanyRecord, type Office } from '../company/company.model.js';
import { type AnswerBudget, asBytes, decode } from '../content/answer-budget.js';
import { projectionOf } from '../content/shown-fields.js';
import { inOneReply } from '../database/in-one-reply.js';
import { type Employer } from './job-with-employer.js';
import { type JobRecord } from './job.model.js';

type Place = Pick<JobRecord, 'media' | 'company'>;

export interface JoinedJob {
  job: JobRecord;
  company: Employer | undefined;
}

interface Read {
  company: CompanyRecord;
  bytes: number;
  isCharged: boolean;
}

type Loader = DataLoader<Place, Read | undefined, string>;

/** Reads the companies of a page of jobs with one command, and each company once per document and selection. */
export class Employers {
  constructor(
    private readonly companies: Collection<CompanyRecord>,
    private readonly maxTimeMS: number,
  ) {}

  /**
   * @returns the jobs with their companies, until a company does not fit into the budget: the first job is always returned. The company
   *   is undefined if it is gone or has left the media: nobody can reach such a job (Contract 5.6.4)
   */
  async join(
    jobs: readonly JobRecord[],
    paths: ReadonlySet<string>,
    budget: AnswerBudget,
  ): Promise<JoinedJob[]> {
    const loader = this.loaderOf(budget, paths);
    const found = await Promise.all(jobs.map((job) => loader.load(job)));
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

  private readonly loadersOf = memoize1((_: AnswerBudget) => new Map<string, Loader>());

  private loaderOf(budget: AnswerBudget, paths: ReadonlySet<string>): Loader {
    const loaders = this.loadersOf(budget);
    const selection = [...paths].join();
    const loader =
      loaders.get(selection) ??
      new DataLoader((places: readonly Place[]) => this.read(places, paths), { cacheKeyFn: keyOf });
    loaders.set(selection, loader);
    return loader;
  }

  private async read(places: readonly Place[], paths: ReadonlySet<string>): Promise<(Read | undefined)[]> {
    const projection = projectionOf(
      ['publicId'],
      [...paths].map((path) => (path === 'office' ? 'offices' : path)),
    );
    const options = { ...asBytes, ...inOneReply, projection, maxTimeMS: this.maxTimeMS };
    const found = new Map<string, Read>();
    for (const media of new Set(places.map((place) => place.media))) {
      const publicIds = places.filter((place) => place.media === media).map(({ company }) => company);
      const inMedia = { publicId: { $in: publicIds }, 'memberships.media': media };
      for (const bytes of await this.companies.find<Uint8Array>(inMedia, options).toArray()) {
        const company = decode<CompanyRecord>(bytes);
        const key = keyOf({ media, company: company.publicId });
        found.set(key, { company, bytes: bytes.length, isCharged: false });
      }
    }
    return places.map((place) => found.get(keyOf(place)));
  }
}

const keyOf = ({ media, company }: Place): string => `${media}\n${company}`;

const officesOf = memoize1(
  ({ offices }: CompanyRecord) =>
    new Map(
      // Damaged companies can have anything here.
      (Array.isArray(offices) ? (offices as (Office | null)[]) : []).map((office) => [
        String(office?._id),
        office,
      ]),
    ),
);

const withOffice = (company: CompanyRecord, { office }: Pick<JobRecord, 'office'>): Employer =>
  'offices' in company && office
    ? { ...company, office: officesOf(company).get(String(office)) ?? null }
    : company;
