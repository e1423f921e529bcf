import { beforeAll, describe, expect, it } from '@jest/globals';
import { type Document } from 'mongodb';
import { Types } from 'mongoose';
import { nameKey } from '../../src/content/name-key.rules.js';
import { ownGateway } from '../support/own-gateway.js';
import { graphql } from '../support/requests.js';
import { SentCommands } from '../support/sent-commands.js';
import { type usualClaims } from '../support/tokens.js';

const bounds = { entries: 250, documents: 60, queryMs: 60_000 };
const first = 30;
const jobCount = 1_000;
const companyCount = 200;

const sent = new SentCommands();
const gateway = ownGateway({ ARCHIVER: 'off' }, { tracing: sent.tracing, bounds });

const now = Date.now();
const dayMs = 86_400_000;
const inDays = (days: number) => new Date(now + days * dayMs);
const idOf = (kind: string, index: number) => `${kind}-${String(index).padStart(4, '0')}`;
const isLast = (index: number) => index === jobCount - 1;

/** Most jobs belong to one company and are archived. The last one is a rare one. */
const jobAt = (index: number) => ({
  publicId: idOf('job', index),
  company: isLast(index) ? 'globex' : 'acme',
  name: index % 500 === 7 ? 'Agent de nuit' : isLast(index) ? 'Astronome' : 'Comptable',
  createdBy: index % 2 === 0 ? 'half' : 'tester',
  state: isLast(index) ? 'draft' : index % 9 === 0 ? 'published' : 'archived',
  // Some are past their end, but not yet archived.
  expiresAt: index % 9 === 0 ? inDays(index % 27 === 0 ? -1 : (index % 40) + 1) : null,
  // An order that has nothing to do with the public ids. Some have no instant, and many share one.
  changedAt: index % 97 === 0 ? null : inDays(-1 - Math.floor(((index * 7_919) % jobCount) / 10)),
});
type Job = ReturnType<typeof jobAt>;
const jobs = Array.from({ length: jobCount }, (_, index) => jobAt(index));

const companyAt = (index: number) => ({
  publicId: idOf('company', index),
  name: index % 150 === 149 ? `Éclair ${index}` : `Bench ${index}`,
  createdBy: index % 2 === 0 ? 'half' : 'tester',
  brand: index % 3 === 0 ? 'third' : null,
  changedAt: inDays(-1 - ((index * 37) % companyCount)),
});
type Company = ReturnType<typeof companyAt>;
const companies = Array.from({ length: companyCount }, (_, index) => companyAt(index));

beforeAll(async () => {
  const { models } = gateway;
  const job = await models.jobs.collection.findOne({ publicId: 'acme-backend-engineer' });
  const company = await models.companies.collection.findOne(
    { publicId: 'acme' },
    { projection: { domainKey: 0 } },
  );
  await models.jobs.collection.deleteMany({});
  await models.companies.collection.deleteMany({ publicId: { $nin: ['acme', 'globex'] } });
  await models.jobs.collection.insertMany(
    jobs.map(({ changedAt, expiresAt, ...own }) => ({
      ...job,
      ...own,
      _id: new Types.ObjectId(),
      nameKey: nameKey(own.name),
      brand: own.company === 'acme' ? 'acme-group' : null,
      publishedAt: expiresAt && inDays(-60),
      ...{ expiresAt, expiresFor: expiresAt && inDays(-60) },
      changedAt: changedAt ?? undefined,
    })),
    { ignoreUndefined: true },
  );
  await models.companies.collection.insertMany(
    companies.map((own) => ({
      ...company,
      ...own,
      _id: new Types.ObjectId(),
      nameKey: nameKey(own.name),
    })),
  );
});

interface Page {
  totalCount: number | null;
  edges: { node: { publicId: string } }[];
  pageInfo: { hasNextPage: boolean; endCursor: string | null };
}

const reaches = {
  media: {},
  partner: { roles: ['media_partner'], sub: 'half' },
  brand: { roles: ['brand_admin'], brand: 'acme-group', media: undefined },
  'partner and brand': { roles: ['media_partner', 'brand_admin'], sub: 'half', brand: 'acme-group' },
} satisfies Record<string, Partial<typeof usualClaims>>;
type Reach = keyof typeof reaches;

async function pagesOf(list: string, args: string, reach: Partial<typeof usualClaims>): Promise<Page[]> {
  const token = await gateway.token(reach);
  const pages: Page[] = [];
  for (let after: string | null = ''; after !== null && pages.length < 200;) {
    const query = `{ list: ${list}(mediaPublicId: "demo-media", first: ${first}, after: "${after}", ${args}) {
      ${after === '' ? 'totalCount' : ''} edges { node { publicId } } pageInfo { hasNextPage endCursor } } }`;
    const { body } = await graphql(gateway, query, {}, { token });
    expect(body.errors).toBeUndefined();
    const page = body.data?.list as Page;
    expect(page.edges.length).toBeLessThanOrEqual(first);
    pages.push(page);
    after = page.pageInfo.hasNextPage ? page.pageInfo.endCursor : null;
    if (page.pageInfo.hasNextPage) expect(after).not.toBeNull();
  }
  return pages;
}

const idsOf = (pages: readonly Page[]) =>
  pages.flatMap(({ edges }) => edges.map(({ node }) => node.publicId));

const timeOf = ({ changedAt }: { changedAt: Date | null }) => changedAt?.getTime() ?? -Infinity;
const sorts = {
  public_id: (one: Listed, other: Listed) => (one.publicId < other.publicId ? -1 : 1),
  updated_at_desc: (one: Listed, other: Listed) =>
    timeOf(other) - timeOf(one) || (one.publicId < other.publicId ? 1 : -1),
};
type Listed = Job | Company;
type Sort = keyof typeof sorts;

const isLive = ({ state, expiresAt }: Job) => state === 'published' && expiresAt! > new Date(now);
const jobFilters: Record<string, (job: Job) => boolean> = {
  '': () => true,
  'state: draft': ({ state }) => state === 'draft',
  'state: published': isLive,
  'state: archived': (job) => job.state !== 'draft' && !isLive(job),
  'companyPublicId: "acme"': ({ company }) => company === 'acme',
  'companyPublicId: "globex"': ({ company }) => company === 'globex',
  'companyPublicId: "globex", state: draft': ({ company }) => company === 'globex',
  'name: "nuit agent"': ({ name }) => name === 'Agent de nuit',
  'name: "astronome"': ({ name }) => name === 'Astronome',
  'name: "astronome", state: draft': ({ name }) => name === 'Astronome',
  'name: "none"': () => false,
  [`expiringBefore: "${inDays(3).toISOString()}"`]: (job) => isLive(job) && job.expiresAt! < inDays(3),
  [`updatedSince: "${inDays(-3).toISOString()}"`]: (job) => timeOf(job) >= inDays(-3).getTime(),
  [`state: draft, expiringBefore: "${inDays(3).toISOString()}"`]: () => false,
};
const reachesJob: Record<Reach, (job: Job) => boolean> = {
  media: () => true,
  partner: ({ createdBy }) => createdBy === 'half',
  brand: ({ company }) => company === 'acme',
  'partner and brand': ({ createdBy, company }) => createdBy === 'half' || company === 'acme',
};

const combinations = <Filter extends string>(filters: Record<Filter, unknown>) =>
  (Object.keys(reaches) as Reach[]).flatMap((reach) =>
    (Object.keys(filters) as Filter[]).flatMap((filter) =>
      (Object.keys(sorts) as Sort[]).map((sort) => [reach, filter, sort] as const),
    ),
  );

describe('a list of jobs that looks at few of them for each page', () => {
  it.each(combinations(jobFilters))(
    'shows %s every match of { %s } once, in the order %s (Contract 4.4.15)',
    async (reach, filter, sort) => {
      const expected = jobs
        .filter((job) => jobFilters[filter]!(job) && reachesJob[reach](job))
        .sort(sorts[sort])
        .map(({ publicId }) => publicId);
      const pages = await pagesOf('jobs', `sort: ${sort}, ${filter}`, reaches[reach]);
      expect(idsOf(pages)).toEqual(expected);
      expect([expected.length, null]).toContain(pages[0]?.totalCount);
    },
  );

  it('ends a page early, with a cursor, once it has looked at enough jobs (Contract 4.4.15)', async () => {
    const args = `sort: public_id, updatedSince: "${inDays(-3).toISOString()}"`;
    const pages = await pagesOf('jobs', args, {});
    expect(pages[0]?.edges.length).toBeLessThan(first);
    expect(pages[0]?.pageInfo.hasNextPage).toBe(true);
    expect(pages).toHaveLength(Math.ceil(jobCount / bounds.documents));
    expect(pages.at(-1)?.pageInfo).toMatchObject({ hasNextPage: false });
  });

  it('counts a list that an index serves beyond the bound, and a search within it (Contract 4.4.15)', async () => {
    const countOf = async (args: string, reach = {}) => (await pagesOf('jobs', args, reach))[0]?.totalCount;
    expect(await countOf('state: draft')).toBe(1);
    expect(await countOf('companyPublicId: "globex", name: "astronome"')).toBe(1);
    expect(await countOf('name: "astronome"')).toBeNull();
  });
});

const companyFilters: Record<string, (company: Company) => boolean> = {
  '': () => true,
  'name: "eclair"': ({ name }) => name.startsWith('Éclair'),
  'name: "bench 198"': ({ name }) => name === 'Bench 198',
  'name: "none"': () => false,
};
const companyReaches = {
  media: [{}, () => true],
  partner: [{ roles: ['media_partner'], sub: 'half' }, ({ createdBy }: Company) => createdBy === 'half'],
  brand: [
    { roles: ['brand_admin'], brand: 'third', media: undefined },
    ({ brand }: Company) => brand === 'third',
  ],
} as const;

describe('a list of companies that looks at few of them for each page', () => {
  it.each(
    Object.keys(companyReaches).flatMap((reach) =>
      Object.keys(companyFilters).flatMap((filter) =>
        Object.keys(sorts).map(
          (sort) => [reach as keyof typeof companyReaches, filter, sort as Sort] as const,
        ),
      ),
    ),
  )('shows %s every match of { %s } once, in the order %s (Contract 4.4.15)', async (reach, filter, sort) => {
    const [claims, isReached] = companyReaches[reach];
    const expected = companies
      .filter((company) => companyFilters[filter]!(company) && isReached(company))
      .sort(sorts[sort])
      .map(({ publicId }) => publicId);
    const pages = await pagesOf('companies', `sort: ${sort}, ${filter}`, claims);
    expect(idsOf(pages).filter((publicId) => publicId.startsWith('company-'))).toEqual(expected);
  });
});

interface Explained {
  executionStats: { totalKeysExamined: number; totalDocsExamined: number };
}

/** Null unless the server is MongoDB. */
const examinedBy = async (command: Document): Promise<{ keys: number; documents: number } | null> => {
  const own = Object.entries(command).filter(([name]) => !['lsid', '$db', '$clusterTime'].includes(name));
  try {
    const explained = await gateway.models.jobs.db.db!.command({
      explain: Object.fromEntries(own),
      verbosity: 'executionStats',
    });
    const [stage] = (explained.stages ?? []) as { $cursor?: Explained }[];
    const { executionStats } = (stage?.$cursor ?? explained) as Explained;
    const { totalKeysExamined: keys, totalDocsExamined: documents } = executionStats;
    return { keys, documents };
  } catch {
    return null;
  }
};

it.each(combinations(jobFilters))(
  'a page and a count of jobs for %s with { %s } in the order %s look at few (Contract 4.4.15)',
  async (reach, filter, sort) => {
    const token = await gateway.token(reaches[reach]);
    const query = `{ jobs(mediaPublicId: "demo-media", first: ${first}, sort: ${sort}, ${filter}) {
      totalCount edges { node { publicId } } } }`;
    sent.forget();
    expect((await graphql(gateway, query, {}, { token })).body.errors).toBeUndefined();
    for (const command of sent.to('jobs')) {
      const examined = await examinedBy(command);
      if (!examined) continue;
      // A reach of several roles merges indexes, and reads ahead in each.
      const spare = 2 * first;
      expect(examined.documents).toBeLessThanOrEqual(bounds.documents + spare);
      // A list that an index serves counts to 10 000.
      const isServed = filter === '' || filter.startsWith('companyPublicId: "acme"');
      if (!isServed) expect(examined.keys).toBeLessThanOrEqual(bounds.entries + spare);
    }
  },
);
