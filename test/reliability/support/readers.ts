import { setTimeout as sleep } from 'node:timers/promises';
import { pendingChangedAt } from '../../../src/database/insert-records.js';
import { collectionsOf, readReach } from '../../../src/job/stored-reach.js';
import { type Models } from '../../../src/models.js';
import { dataOf } from '../../support/requests.js';
import { chainOf } from './checker.js';

const pauseMs = 20;

/** A caller that reads a media's lists, all of it or one brand of it, and follows its changes. */
interface Reader {
  token: string;
  media: string;
  brand?: string;
}

interface Edges<Node> {
  edges: { node: Node }[];
}
interface Lists {
  jobs: Edges<{ publicId: string }>;
  companies: Edges<{ publicId: string }>;
  jobCounts: { count: number }[];
  changes: Edges<{ kind: string; publicId: string; version: number; state: string }> & {
    pageInfo: { endCursor: string };
  };
}

const query = `query ($media: String!, $of: [String!], $after: String) {
  jobs(mediaPublicId: $media, first: 100, sort: updated_at_desc) { edges { node { publicId } } }
  companies(mediaPublicId: $media, first: 100, sort: updated_at_desc) { edges { node { publicId } } }
  jobCounts(mediaPublicId: $media, filter: { companyPublicIds: $of }) { count }
  changes(mediaPublicId: $media, after: $after) {
    edges { node { kind publicId version state } }
    pageInfo { endCursor }
  }
}`;

/** Read lists beside imports, and compare them with the stored companies. */
export class Readers {
  /** Records that a reader saw out of its reach. */
  readonly faults = new Set<string>();
  private readonly follows: { reader: Reader; after: string | null; known: Map<string, string> }[];

  constructor(
    private readonly url: string,
    private readonly models: Models,
    readers: readonly Reader[],
  ) {
    this.follows = readers.map((reader) => ({ reader, after: null, known: new Map() }));
  }

  /** Reads all lists again and again while the work runs, and once after it. @param company whose jobs to count */
  async beside<T>(company: string, work: Promise<T>): Promise<T> {
    let isOver = false;
    const watch = async () => {
      while (!isOver) {
        await this.look(company);
        await sleep(pauseMs);
      }
      await this.look(company);
    };
    const [result] = await Promise.all([work.finally(() => (isOver = true)), watch()]);
    return result;
  }

  /** The records of a company that followers of a media know. */
  followed(media: string, company: string): Record<string, string> {
    const { known } = this.follows.find(({ reader }) => reader.media === media && !reader.brand)!;
    const own = [...known].filter(([key]) => isOf(company, key.split(' ')[1]!));
    return Object.fromEntries(own.map(([key, value]) => [key.replace(company, '*'), value]));
  }

  async look(company: string): Promise<void> {
    for (const follow of this.follows) {
      const { reader, known, after } = follow;
      const before = await this.reached(reader);
      const variables = { media: reader.media, of: [company], after };
      const lists = await dataOf<Lists>({ url: this.url }, query, variables, { token: reader.token });
      // A record moves once, so what is out of reach before and after the reply was so meanwhile.
      const reached = new Set([...before, ...(await this.reached(reader))]);
      const changes = lists.changes.edges.map(({ node }) => node);
      const shown = [
        ...lists.jobs.edges.map(({ node }) => `job ${node.publicId}`),
        ...lists.companies.edges.map(({ node }) => `company ${node.publicId}`),
        ...changes.filter(({ state }) => state !== 'gone').map((each) => `${each.kind} ${each.publicId}`),
      ];
      const who = `${reader.brand ?? 'everyone'} of ${reader.media}`;
      for (const record of shown) if (!reached.has(record)) this.faults.add(`${who} saw ${record}`);
      const counted = lists.jobCounts.reduce((sum, { count }) => sum + count, 0);
      const countable = [...reached].filter((key) => key.startsWith('job ') && isOf(company, key.slice(4)));
      if (counted > countable.length) this.faults.add(`${who} counted ${counted} of ${company}`);
      for (const { kind, publicId, version, state } of changes)
        known.set(`${kind} ${publicId}`, `${version} ${state}`);
      follow.after = lists.changes.pageInfo.endCursor;
    }
  }

  /** The records that the stored companies let a reader see now. */
  private async reached({ media, brand }: Reader): Promise<Set<string>> {
    const { companies, jobs } = this.models;
    const found = await companies.find({}, 'publicId brand memberships').lean();
    const own = found.filter(
      (each) =>
        each.memberships.some((one) => one.media === media) && (brand === undefined || each.brand === brand),
    );
    const ids = own.map(({ publicId }) => publicId);
    const under = await jobs.find({ media, company: { $in: ids } }, 'publicId').lean();
    return new Set([
      ...ids.map((publicId) => `company ${publicId}`),
      ...under.map(({ publicId }) => `job ${publicId}`),
    ]);
  }
}

const isOf = (company: string, publicId: string) => `${publicId}-`.startsWith(`${company}-`);

/** A company and its jobs as stored, with their history and departures. Its jobs' public ids begin with its own. */
export async function storedOf(models: Models, company: string): Promise<unknown> {
  const named = { publicId: new RegExp(`^${company}(-|$)`) };
  const [companies, jobs, departures, history] = await Promise.all([
    models.companies.find(named).sort({ publicId: 1 }).lean(),
    models.jobs.find(named).sort({ publicId: 1 }).lean(),
    models.tombstones.find(named).sort({ _id: 1 }).lean(),
    models.history.find().lean(),
  ]);
  const reachNow = await readReach(collectionsOf(models), jobs);
  const common = (record: (typeof jobs)[number] | (typeof companies)[number]) => ({
    ...{ publicId: record.publicId, version: record.version, isDue: record.isSyncDue ?? false },
    isPending: record.changedAt.getTime() === pendingChangedAt.getTime(),
    entries: chainOf({ ...record }, history as never).map(({ version, changes }) => ({ version, changes })),
  });
  const stored = {
    companies: companies.map((each) => ({
      ...common(each),
      ...{ brand: each.brand, media: each.memberships.map(({ media }) => media) },
    })),
    jobs: jobs.map((job) => {
      const { reach, isMoving } = reachNow(job);
      const { media, brand, isCompanyInMedia } = job;
      const isAsCompany = brand === reach.brand && isCompanyInMedia === reach.isCompanyInMedia;
      return { ...common(job), media, brand, isCompanyInMedia, isAsCompany: isAsCompany && !isMoving };
    }),
    departures: departures.map((each) => ({ ...each, changedAt: null })),
  };
  return JSON.parse(JSON.stringify(stored).replaceAll(company, '*')) as unknown;
}
