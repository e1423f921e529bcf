import { type Caller } from '../access/caller.js';
import { reachAnywhere, reachIn, reachQuery } from '../access/reach.rules.js';
import { allOf, type Query } from '../paging/query.rules.js';
import { inOneReply } from '../database/in-one-reply.js';
import { type JobRecord } from './job.model.js';
import { type Collections, incompleteQuery, readReach } from './stored-reach.js';

type Reach = ReturnType<typeof reachIn>;

/** Queries for the jobs within a caller's reach, by what jobs store of their companies. */
export class JobReach {
  private isComplete = false;

  constructor(private readonly collections: Collections) {}

  /** Matches jobs of a media, also those of companies that have left it. */
  inMedia = (caller: Caller, media: string): Promise<Query> => this.within({ media }, reachIn(caller, media));

  /** Matches the jobs of a media that lists show. */
  listedIn = (caller: Caller, media: string): Promise<Query> =>
    this.within({ media }, reachIn(caller, media), { isCompanyInMedia: true });

  /**
   * A query for a job whose media is not known yet. Jobs out of reach don't match, so they are neither joined nor decoded, and response
   * times don't tell them from absent jobs (Contract 5.7).
   */
  anywhere = (caller: Caller): Promise<Query> =>
    this.within(caller.media ? { media: { $in: [...caller.media] } } : {}, reachAnywhere(caller));

  /** Gives jobs of version 1.x what they don't store: call this on every page. */
  async complete<Job extends JobRecord>(jobs: readonly Job[]): Promise<readonly Job[]> {
    const incomplete = jobs.filter(({ companyVersion }) => companyVersion == null);
    if (incomplete.length === 0) return jobs;
    const reachOf = await readReach(this.collections, incomplete);
    return jobs.map((job) => (job.companyVersion == null ? { ...job, ...reachOf(job) } : job));
  }

  /** Until no job of version 1.x is left, each query also looks at companies: only imports of version 1.x insert such jobs. */
  async checkComplete(): Promise<boolean> {
    this.isComplete ||= !(await this.collections.jobs.findOne(incompleteQuery, { projection: { _id: 1 } }));
    return this.isComplete;
  }

  /** @param only what the jobs must store, too, if they store anything of their company */
  private async within(where: Query, reach: Reach, only: Query = {}): Promise<Query> {
    const stored = allOf({ ...where, ...only }, reachQuery(reach));
    if (await this.checkComplete()) return stored;
    const brands = reach.flatMap(({ brand }) => brand ?? []);
    const ofBrands =
      brands.length > 0
        ? await this.collections.companies
            .find({ brand: { $in: brands } }, { projection: { publicId: 1, brand: 1 }, ...inOneReply })
            .toArray()
        : [];
    const byCompany = reachQuery(reach, (brand) => ({
      company: { $in: ofBrands.filter((company) => company.brand === brand).map(({ publicId }) => publicId) },
    }));
    return { $or: [stored, allOf(incompleteQuery, where, byCompany)] };
  }
}
