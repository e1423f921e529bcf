import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Document } from 'mongodb';
import { type Gateway, startGateway } from '../../src/gateway.js';
import { silentLog } from '../support/gateway.js';
import { ownGateway } from '../support/own-gateway.js';
import { examinedBy } from '../support/examined.js';
import { graphql } from '../support/requests.js';
import { SentCommands } from '../support/sent-commands.js';
import {
  companies,
  type Company,
  inDays,
  insertSkewed,
  type Job,
  jobs,
  now,
} from '../support/skewed-records.js';
import { type usualClaims } from '../support/tokens.js';

const bounds = { entries: 350, documents: 150, queryMs: 60_000 };
const first = 90;

const sent = new SentCommands();
const gateway = ownGateway({ ARCHIVER: 'off' }, { tracing: sent.tracing, bounds });
/** On the same database, with bounds that no list reaches. */
const ample = { entries: 10_000, documents: 10_000, queryMs: bounds.queryMs };
let unbounded: Gateway;

beforeAll(async () => {
  await insertSkewed(gateway.models);
  unbounded = await startGateway(gateway.settings, { log: silentLog, bounds: ample });
});
afterAll(() => unbounded.stop({ delayMs: 0, idleMs: 0, timeoutMs: 1_000 }));

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

async function pageOf(
  url: string,
  { list, args, token, after }: { list: string; args: string; token: string; after: string },
): Promise<Page> {
  const query = `{ list: ${list}(mediaPublicId: "demo-media", first: ${first}, after: "${after}", ${args}) {
    ${after === '' ? 'totalCount' : ''} edges { node { publicId } } pageInfo { hasNextPage endCursor } } }`;
  const { body } = await graphql({ url }, query, {}, { token });
  expect(body.errors).toBeUndefined();
  return body.data?.list as Page;
}

/** Pages to the end. Returns also the commands of the first page. */
async function pagesOf(list: 'jobs' | 'companies', args: string, reach: Partial<typeof usualClaims>) {
  const token = await gateway.token(reach);
  const pages: Page[] = [];
  let commands: Document[] = [];
  sent.forget();
  for (let after: string | null = ''; after !== null && pages.length < 200;) {
    const page: Page = await pageOf(gateway.url, { list, args, token, after });
    if (pages.length === 0) commands = sent.to(list);
    expect(page.edges.length).toBeLessThanOrEqual(first);
    pages.push(page);
    after = page.pageInfo.hasNextPage ? page.pageInfo.endCursor : null;
    if (page.pageInfo.hasNextPage) expect(after).not.toBeNull();
  }
  return { pages, commands };
}

async function expectListed(
  list: 'jobs' | 'companies',
  args: string,
  reach: Partial<typeof usualClaims>,
  expected: readonly Listed[],
) {
  const ids = expected.map(({ publicId }) => publicId);
  const { pages, commands } = await pagesOf(list, args, reach);
  expect(idsOf(pages)).toEqual(ids);
  expect([ids.length, null]).toContain(pages[0]?.totalCount);
  // test/permissions/list-counts.test.ts counts the lists of several roles.
  if ((reach.roles?.length ?? 1) === 1) {
    const token = await gateway.token(reach);
    const page = await pageOf(unbounded.url, { list, args, token, after: '' });
    expect([page.totalCount, idsOf([page])]).toEqual([ids.length, ids.slice(0, first)]);
  }
  return examinedBy(gateway.models.jobs.db.db!, commands);
}

const idsOf = (pages: readonly Page[]) =>
  pages.flatMap(({ edges }) => edges.map(({ node }) => node.publicId));

const timeOf = (instant: Date | null) => instant?.getTime() ?? -Infinity;
const byId = (one: Listed, other: Listed) => (one.publicId < other.publicId ? -1 : 1);
const sorts = {
  public_id: byId,
  updated_at_desc: (one: Listed, other: Listed) =>
    timeOf(other.changedAt) - timeOf(one.changedAt) || byId(other, one),
};
const jobSorts = {
  ...sorts,
  published_at_desc: (one: Job, other: Job) =>
    timeOf(other.publishedAt) - timeOf(one.publishedAt) || byId(other, one),
  expires_at_asc: (one: Job, other: Job) =>
    Number(isLive(other)) - Number(isLive(one)) ||
    timeOf(one.expiresAt) - timeOf(other.expiresAt) ||
    byId(one, other),
};
type Listed = Job | Company;
type Sort = keyof typeof sorts;
type JobSort = keyof typeof jobSorts;

const isLive = ({ state, expiresAt }: Job) => state === 'published' && expiresAt! > new Date(now);
const isArchived = (job: Job) => job.state !== 'draft' && !isLive(job);
const hundred = Array.from({ length: 100 }, (_, index) => `company-${String(index).padStart(4, '0')}`);
/** Only for callers who reach the whole media. */
const listsOfMany: Record<string, (job: Job) => boolean> = {
  'states: [draft, archived]': (job) => !isLive(job),
  'states: [published, draft]': (job) => !isArchived(job),
  'states: [published, archived]': ({ state }) => state !== 'draft',
  'companyPublicIds: ["globex", "company-0003", "none"]': ({ company }) =>
    company === 'globex' || company === 'company-0003',
  [`companyPublicIds: ${JSON.stringify(hundred)}, states: [archived]`]: (job) =>
    hundred.includes(job.company) && isArchived(job),
  [`companyPublicIds: ${JSON.stringify(hundred)}`]: ({ company }) => hundred.includes(company),
};
const jobFilters: Record<string, (job: Job) => boolean> = {
  '': () => true,
  'states: []': () => false,
  'states: [draft]': ({ state }) => state === 'draft',
  'states: [published]': isLive,
  'states: [archived]': isArchived,
  'companyPublicIds: ["acme"], states: [published]': (job) => job.company === 'acme' && isLive(job),
  'companyPublicIds: ["globex"]': ({ company }) => company === 'globex',
  'companyPublicIds: ["globex"], states: [draft]': ({ company, state }) =>
    company === 'globex' && state === 'draft',
  'name: "nuit agent"': ({ name }) => name === 'Agent de nuit',
  'name: "astronome"': ({ name }) => name === 'Astronome',
  'name: "astronome", states: [draft]': ({ name }) => name === 'Astronome',
  'name: "none"': () => false,
  [`expiringBefore: "${inDays(3).toISOString()}"`]: (job) => isLive(job) && job.expiresAt! < inDays(3),
  [`updatedSince: "${inDays(-3).toISOString()}"`]: (job) => timeOf(job.changedAt) >= inDays(-3).getTime(),
  [`states: [draft], expiringBefore: "${inDays(3).toISOString()}"`]: () => false,
};
const reachesJob: Record<Reach, (job: Job) => boolean> = {
  media: () => true,
  partner: ({ createdBy }) => createdBy === 'half',
  brand: ({ company }) => company === 'acme',
  'partner and brand': ({ createdBy, company }) => createdBy === 'half' || company === 'acme',
};

const filtersOf = (reach: Reach) => ({ ...jobFilters, ...(reach === 'media' && listsOfMany) });
const combinations = (Object.keys(reaches) as Reach[]).flatMap((reach) =>
  Object.entries(filtersOf(reach)).flatMap(([filter, isListed]) =>
    (Object.keys(jobSorts) as JobSort[]).map((sort) => ({
      title: `${reach} every match of { ${filter.replace(JSON.stringify(hundred), 'a hundred')} }`,
      ...{ reach, filter, sort, isListed },
    })),
  ),
);

/** A hundred companies in three states. */
const isBeyond = (filter: string, sort: JobSort) =>
  filter.includes('company-0099') && sort !== 'public_id' && !filter.includes('states');

/** The fields that the index of each role begins with, as the table beside the model says. */
function indexesOf(reach: Reach, filter: string, sort: JobSort): string[][] {
  if (reach === 'partner and brand')
    return [...indexesOf('partner', filter, sort), ...indexesOf('brand', filter, sort)];
  const owner = {
    media: filter.includes('companyPublicIds') && !isBeyond(filter, sort) ? ['company'] : [],
    partner: ['createdBy'],
    brand: ['brand'],
  }[reach];
  if (sort === 'updated_at_desc') return [['media', ...owner, 'state', 'changedAt', 'publicId']];
  // A page reads the published jobs apart, so fewer states at a time than a count.
  if (sort === 'expires_at_asc')
    return (isBeyond(filter, sort) ? [owner, ['company']] : [owner]).map((each) => [
      ...['media', 'isCompanyInMedia', ...each],
      ...['state', 'expiresAt', 'publicId'],
    ]);
  if (sort === 'published_at_desc')
    return [['media', 'isCompanyInMedia', ...owner, 'state', 'publishedAt', 'publicId']];
  const isByState = /states|expiringBefore/.test(filter);
  return [['media', 'isCompanyInMedia', ...owner, ...(isByState ? ['state'] : []), 'publicId']];
}

/** Lists by states are counted by their states and ends. */
const isServedWhole = (filter: string, reach: Reach) =>
  ['', 'states: [published, archived]'].includes(filter) ||
  (reach !== 'partner and brand' && /^states: \[[^\]]*\]$/.test(filter));

describe('a list of jobs that looks at few of them for each page', () => {
  it.each(combinations)(
    'shows $title once, in the order $sort, counts them, and reads the index of the table (Contract 4.4.15)',
    async ({ reach, filter, sort, isListed }) => {
      const expected = jobs.filter((job) => isListed(job) && reachesJob[reach](job)).sort(jobSorts[sort]);
      const examined = await expectListed(
        'jobs',
        `sort: ${sort}, filter: { ${filter} }`,
        reaches[reach],
        expected,
      );
      // A count since an instant reads the order of changes, and one by states that of the ends. Due jobs are found by their end.
      const others = [
        ...(filter.includes('updatedSince') ? (['updated_at_desc'] as const) : []),
        ...(filter.includes('states') ? (['expires_at_asc'] as const) : []),
      ];
      const begins = [sort, ...others].flatMap((order) =>
        indexesOf(reach, filter, order).map((index) => `${index.join()},`),
      );
      for (const { keys, documents, indexes } of examined) {
        // A reach of several roles merges indexes, and reads ahead in each.
        const spare = 2 * first;
        expect(documents).toBeLessThanOrEqual(bounds.documents + spare);
        // A list that an index serves whole counts to 10 000.
        if (!isServedWhole(filter, reach)) expect(keys).toBeLessThanOrEqual(bounds.entries + spare);
        // The page's records are read by their ids.
        const isOfTable = (index: readonly string[]) =>
          index.join() === 'publicId' || begins.some((begin) => `${index.join()},`.startsWith(begin));
        expect(indexes.filter((index) => !isOfTable(index))).toEqual([]);
      }
    },
  );

  it('ends a page early, with a cursor, once it has looked at enough jobs (Contract 4.4.15)', async () => {
    const args = `sort: public_id, filter: { updatedSince: "${inDays(-3).toISOString()}" }`;
    const { pages } = await pagesOf('jobs', args, {});
    expect(pages[0]?.edges.length).toBeLessThan(first);
    expect(pages[0]?.pageInfo.hasNextPage).toBe(true);
    expect(pages).toHaveLength(Math.ceil(jobs.length / bounds.documents));
    expect(pages.at(-1)?.pageInfo).toMatchObject({ hasNextPage: false });
  });

  it.each(Object.keys(jobSorts))(
    'shows a page of drafts at once in the order %s, however many other jobs there are (Contract 4.4.15)',
    async (sort) => {
      const { pages } = await pagesOf('jobs', `sort: ${sort}, filter: { states: [draft] }`, {});
      expect(pages.map(({ edges }) => edges.length)).toEqual([1]);
    },
  );

  it('counts a list that an index serves beyond the bound, and a search within it (Contract 4.4.15)', async () => {
    const countOf = async (args: string) => (await pagesOf('jobs', args, {})).pages[0]?.totalCount;
    expect(await countOf('filter: { states: [draft] }')).toBe(1);
    expect(await countOf('filter: { companyPublicIds: ["globex"], name: "astronome" }')).toBe(1);
    expect(await countOf('filter: { name: "astronome" }')).toBeNull();
  });
});

const companyFilters: Record<string, (company: Company) => boolean> = {
  '': () => true,
  'name: "eclair"': ({ name }) => name.startsWith('Éclair'),
  'name: "bench 198"': ({ name }) => name === 'Bench 198',
  'name: "none"': () => false,
  'isPublished: true': ({ isPublished }) => isPublished,
  'isPublished: false, name: "bench"': ({ isPublished, name }) => !isPublished && name.startsWith('Bench'),
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
  )(
    'shows %s every match of { %s } once, in the order %s, and counts them (Contract 4.4.15)',
    async (reach, filter, sort) => {
      const [claims, isReached] = companyReaches[reach];
      const expected = companies
        .filter((company) => companyFilters[filter]!(company) && isReached(company))
        .sort(sorts[sort]);
      const examined = await expectListed(
        'companies',
        `sort: ${sort}, filter: { ${filter} }`,
        claims,
        expected,
      );
      for (const { documents } of examined) expect(documents).toBeLessThanOrEqual(bounds.documents + first);
    },
  );
});
