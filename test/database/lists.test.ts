import { beforeAll, describe, expect, it } from '@jest/globals';
import { Types } from 'mongoose';
import { type ListSort } from '../../src/paging/order.rules.js';
import { nameKey } from '../../src/text/name-key.rules.js';
import { emptyLocation } from '../../src/job/location/location.js';
import { demoReferenceId } from '../support/demo-references.js';
import { examinedBy } from '../support/examined.js';
import { ownGateway } from '../support/own-gateway.js';
import { graphql } from '../support/requests.js';
import { SentCommands } from '../support/sent-commands.js';
import { type usualClaims } from '../support/tokens.js';

const bounds = { entries: 120, documents: 50, queryMs: 60_000 };
const sent = new SentCommands();
const gateway = ownGateway({ ARCHIVER: 'off' }, { tracing: sent.tracing, bounds });

/** In `npm run test:long`. */
const isWhole = process.env.FUZZ_REQUESTS !== undefined;

/** The same numbers in every run. */
let seed = 88;
function random(below: number): number {
  seed = (seed * 1_664_525 + 1_013_904_223) % 2 ** 32;
  return Math.floor((seed / 2 ** 32) * below);
}
const oneOf = <Value>(...values: Value[]): Value => values[random(values.length)]!;

const now = Date.now();
const inDays = (days: number) => new Date(now + days * 86_400_000);

/** Public ids that are not only letters and digits: a cursor can end in each. */
const odd = ['a "quote"', 'a\nline', 'ünï', '\u{1f600}', '\ufffd', ' space ', '\\', '["public_id","x"]', 'Z'];
const publicIdAt = (index: number) =>
  `${odd[index] ?? ''}${odd[index] ? '' : 'job'}-${(index * 7_919) % 1_000}`;

/** Many share an instant, and most a company. */
function jobAt(index: number) {
  const state = oneOf('draft', 'published', 'published', 'archived');
  const publishedAt = state === 'draft' ? null : inDays(-1 - random(9) * 9);
  return {
    publicId: publicIdAt(index),
    company: random(2) ? 'acme' : `company-${random(40)}`,
    name: oneOf('Agent de nuit', 'Comptable', 'Comptable', 'Comptable', 'Éclairagiste'),
    createdBy: oneOf('half', 'tester'),
    brand: oneOf('acme-group', null),
    isCompanyInMedia: random(12) > 0,
    state,
    publishedAt,
    // Some are due: the task is late.
    expiresAt: publishedAt && (state === 'published' ? inDays(oneOf(-1, 1, 20)) : inDays(-2)),
    changedAt: inDays(-1 - random(12)),
    contract: oneOf('permanent', 'fixed_term', null),
    location: oneOf(
      { department: 'Rhône', region: 'Auvergne-Rhône-Alpes', countryCode: 'FRA' },
      { department: 'Val-d’Oise', region: 'ÎLE DE FRANCE', countryCode: 'FRA' },
      { department: '', region: 'I\u0302le-de-France', countryCode: 'FRA' },
      { department: '', region: '', countryCode: 'BEL' },
    ),
  };
}
type Job = ReturnType<typeof jobAt>;
const jobs = Array.from({ length: 400 }, (_, index) => jobAt(index));

const companyAt = (index: number) => ({
  publicId: `company-${index}`,
  name: index % 15 === 14 ? `Éclair ${index}` : `Bench ${index}`,
  createdBy: oneOf('half', 'tester'),
  brand: oneOf('acme-group', null),
  isPublished: random(5) > 0,
  changedAt: inDays(-1 - random(12)),
  size: oneOf('from_10_to_49', null),
  sectors: oneOf([], ['software'], ['software', 'retail'], ['retail']),
});
type Company = ReturnType<typeof companyAt>;
const companies = Array.from({ length: 120 }, (_, index) => companyAt(index));

beforeAll(async () => {
  const { models } = gateway;
  const job = await models.jobs.collection.findOne({ publicId: 'acme-backend-engineer' });
  const company = await models.companies.collection.findOne(
    { publicId: 'acme' },
    { projection: { domainKey: 0 } },
  );
  await models.jobs.collection.deleteMany({});
  await models.companies.collection.deleteMany({});
  const stored = (own: { name: string }) => ({
    ...own,
    _id: new Types.ObjectId(),
    nameKey: nameKey(own.name),
  });
  await models.jobs.collection.insertMany(
    jobs.map(({ contract, location, ...own }) => ({
      ...{ ...job, ...stored(own) },
      contract: contract && demoReferenceId('contract', contract),
      location: { ...emptyLocation, ...location },
    })),
  );
  await models.companies.collection.insertMany(
    companies.map(({ isPublished, size, sectors, ...own }) => ({
      ...company,
      ...stored(own),
      size: size && demoReferenceId('size', size),
      sectors: sectors.map((sector) => demoReferenceId('sector', sector)),
      memberships: [{ media: 'demo-media', isPublished, isVmePagePublished: isPublished }],
    })),
  );
});

const owners = {
  media: [{}, () => true],
  'three roles': [
    { roles: ['media_admin', 'media_partner', 'brand_admin'], brand: 'acme-group' },
    () => true,
  ],
  partner: [{ roles: ['media_partner'], sub: 'half' }, ({ createdBy }) => createdBy === 'half'],
  brand: [
    { roles: ['brand_admin'], brand: 'acme-group', media: undefined },
    ({ brand }) => brand === 'acme-group',
  ],
  'partner and brand': [
    { roles: ['media_partner', 'brand_admin'], sub: 'half', brand: 'acme-group' },
    ({ createdBy, brand }) => createdBy === 'half' || brand === 'acme-group',
  ],
} satisfies Record<
  string,
  [Partial<typeof usualClaims>, (owned: Pick<Job, 'createdBy' | 'brand'>) => boolean]
>;
type Owner = keyof typeof owners;

const timeOf = (instant: Date | null) => instant?.getTime() ?? -Infinity;
const byId = (one: { publicId: string }, other: { publicId: string }) =>
  Buffer.compare(Buffer.from(one.publicId), Buffer.from(other.publicId));
const latestFirst =
  <Path extends string>(path: Path) =>
  <Listed extends { publicId: string } & Record<Path, Date | null>>(one: Listed, other: Listed) =>
    timeOf(other[path]) === timeOf(one[path]) ? byId(other, one) : timeOf(other[path]) - timeOf(one[path]);
const sorts = {
  public_id: byId,
  updated_at_desc: latestFirst('changedAt'),
  published_at_desc: latestFirst('publishedAt'),
} satisfies Record<ListSort, (one: Job, other: Job) => number>;
type Sort = keyof typeof sorts;

const isDue = ({ state, expiresAt }: Job) => state === 'published' && expiresAt! < new Date(now);
const isLive = (job: Job) => job.state === 'published' && !isDue(job);
const someCompanies = (length: number) => Array.from({ length }, (_, index) => `company-${index}`);
const [few, many] = [someCompanies(20), someCompanies(21)];
const since = inDays(-4);
const soon = inDays(3);
const isIle = (region: string) => /le.de.france/i.test(region);
const hexOf = (...of: Parameters<typeof demoReferenceId>) =>
  demoReferenceId(...of)
    .toHexString()
    .toUpperCase();
const jobFilters: Record<string, (job: Job) => boolean> = {
  '': () => true,
  'states: []': () => false,
  'states: [draft]': ({ state }) => state === 'draft',
  'states: [published]': isLive,
  'states: [archived]': ({ state }) => state === 'archived',
  'states: [draft, published]': (job) => job.state === 'draft' || isLive(job),
  'states: [published, archived]': ({ state }) => state !== 'draft',
  'companyPublicIds: ["acme", "none"], states: [published]': (job) => job.company === 'acme' && isLive(job),
  [`companyPublicIds: ${JSON.stringify(few)}`]: ({ company }) => few.includes(company),
  [`companyPublicIds: ${JSON.stringify(many)}`]: ({ company }) => many.includes(company),
  'name: "nuit agent"': ({ name }) => name === 'Agent de nuit',
  'name: "eclair", states: [draft]': ({ name, state }) => name === 'Éclairagiste' && state === 'draft',
  'name: "none"': () => false,
  [`expiringBefore: "${soon.toISOString()}"`]: (job) => isLive(job) && job.expiresAt! < soon,
  [`states: [draft, archived], expiringBefore: "${soon.toISOString()}"`]: () => false,
  [`updatedSince: "${since.toISOString()}"`]: ({ changedAt }) => changedAt >= since,
  [`updatedSince: "${since.toISOString()}", name: "compta"`]: ({ changedAt, name }) =>
    changedAt >= since && name === 'Comptable',
  [`contractIds: ["none", "permanent", "${hexOf('contract', 'fixed_term')}"]`]: ({ contract }) =>
    contract !== null,
  'contractIds: ["permanent"], educationIds: null, states: [published]': (job) =>
    job.contract === 'permanent' && isLive(job),
  'contractIds: ["none"]': () => false,
  'contractIds: [], place: "Rhône"': () => false,
  'worktimeIds: ["permanent"]': () => false,
  'place: " ile de  France "': ({ location: { region } }) => isIle(region),
  'place: "VAL D\'OISE", contractIds: ["permanent"], companyPublicIds: ["acme"]': (job) =>
    job.location.department === 'Val-d’Oise' && job.contract === 'permanent' && job.company === 'acme',
  'place: "BEL"': ({ location }) => location.countryCode === 'BEL',
  'place: "bel"': () => false,
  'place: "France"': () => false,
  'place: " "': () => true,
};
const companyFilters: Record<string, (company: Company) => boolean> = {
  '': () => true,
  'name: "eclair"': ({ name }) => name.startsWith('Éclair'),
  [`sizeIds: ["${hexOf('size', 'from_10_to_49')}"], sectorIds: ["retail", "none"]`]: ({ size, sectors }) =>
    size !== null && sectors.includes('retail'),
  'sectorIds: ["software", "retail"], isPublished: true': ({ sectors, isPublished }) =>
    isPublished && sectors.length > 0,
  'sectorIds: ["none"]': () => false,
  'sizeIds: []': () => false,
  'isPublished: false, name: "bench"': ({ isPublished, name }) => !isPublished && name.startsWith('Bench'),
};

interface Page {
  totalCount: number | null;
  edges: { cursor: string; node: { publicId: string } }[];
  pageInfo: { hasNextPage: boolean; endCursor: string | null };
}

async function* pagesOf(list: string, args: string, owner: Owner, first: number): AsyncGenerator<Page> {
  const token = await gateway.token(owners[owner][0]);
  for (let [after, isFirst] = ['', true]; isFirst || after; isFirst = false) {
    const query = `{ list: ${list}(mediaPublicId: "demo-media", first: ${first}, after: "${after}", ${args}) {
      ${isFirst ? 'totalCount' : ''} edges { cursor node { publicId } } pageInfo { hasNextPage endCursor } } }`;
    const { body } = await graphql(gateway, query, {}, { token });
    expect(body.errors).toBeUndefined();
    const page = body.data?.list as Page;
    expect(page.edges.length).toBeLessThanOrEqual(first);
    yield page;
    after = page.pageInfo.hasNextPage ? page.pageInfo.endCursor! : '';
  }
}
const idsOf = ({ edges }: Page) => edges.map(({ node }) => node.publicId);

/** Pages to the end, and checks the list, its count and what its first page examines. */
async function expectListed(
  list: 'jobs' | 'companies',
  [owner, sort, filter]: readonly [Owner, string, string],
  expected: readonly string[],
) {
  const args = `sort: ${sort}, filter: { ${filter} }`;
  // Small pages are many, so `npm test` reads only the longest list in small pages.
  const isLongest = owner === 'media' && filter === '';
  const first = isWhole ? oneOf(7, 30, 100) : isLongest ? 7 : oneOf(60, 100);
  const found: string[] = [];
  sent.forget();
  let commands = [] as ReturnType<typeof sent.to>;
  for await (const page of pagesOf(list, args, owner, first)) {
    if (page.totalCount !== undefined) {
      commands = sent.to(list);
      expect([expected.length, null]).toContain(page.totalCount);
    }
    found.push(...idsOf(page));
  }
  expect({ args, found }).toEqual({ args, found: expected });
  for (const { keys, documents } of await examinedBy(gateway.models.jobs.db.db!, commands)) {
    expect({ args, most: Math.max(documents, bounds.documents + 2 * first) }).toEqual({
      args,
      most: bounds.documents + 2 * first,
    });
    // A count of what an index serves counts on.
    expect(keys).toBeLessThanOrEqual(jobs.length + 2 * first);
  }
}

/** `npm test` asks each filter in each order, for the owners in turn. */
const isAsked = (owner: Owner, sort: Sort = 'public_id') => {
  const turn = Object.keys(owners).indexOf(owner) + Object.keys(sorts).indexOf(sort);
  return (_: unknown, index: number) =>
    isWhole || index === 0 || (index + turn) % Object.keys(owners).length === 0;
};

describe('jobCounts', () => {
  it.each(Object.keys(owners) as Owner[])(
    'for %s counts what a plain filter finds in each state, whatever the filter, from keys or within the bounds (Contract 4.3.9)',
    async (owner) => {
      const [claims, isReached] = owners[owner];
      const token = await gateway.token(claims);
      for (const [filter, isListed] of Object.entries(jobFilters).filter(isAsked(owner))) {
        const listed = jobs.filter((job) => job.isCompanyInMedia && isReached(job) && isListed(job));
        const query = `{ jobCounts(mediaPublicId: "demo-media", filter: { ${filter} }) { state count } }`;
        sent.forget();
        const { body } = await graphql(gateway, query, {}, { token });
        const commands = sent.to('jobs');
        expect(body.extensions?.cost).toMatchObject({ units: 5 });
        const asked = /states: \[(.*?)\]/.exec(filter)?.[1]?.split(', ') ?? [
          'draft',
          'published',
          'archived',
        ];
        const counts = body.data?.jobCounts as { state: string; count: number | null }[];
        expect(counts.map(({ state }) => state)).toEqual(asked.filter(Boolean));
        for (const { state, count } of counts) {
          const inState = listed.filter((job) => job.state === state && !isDue(job));
          expect([
            [filter, state, inState.length],
            [filter, state, null],
          ]).toContainEqual([filter, state, count]);
        }
        for (const { documents } of await examinedBy(gateway.models.jobs.db.db!, commands))
          expect({ filter, isBounded: documents <= bounds.documents + 1 }).toEqual({
            filter,
            isBounded: true,
          });
      }
    },
  );

  // Before any test stores an array: from then on, MongoDB counts no keys of the index.
  it('counts from keys alone where the index has what the filter compares (Contract 4.3.9)', async () => {
    const token = await gateway.token();
    for (const filter of ['', 'name: "compta"', 'companyPublicIds: ["acme"]']) {
      const query = `{ jobCounts(mediaPublicId: "demo-media", filter: { ${filter} }) { count } }`;
      sent.forget();
      const { body } = await graphql(gateway, query, {}, { token });
      const commands = sent.to('jobs');
      expect(JSON.stringify(body.data)).not.toContain('null');
      for (const { documents } of await examinedBy(gateway.models.jobs.db.db!, commands))
        expect(documents).toBe(0);
    }
  });
});

describe('a list of jobs', () => {
  it.each(
    (Object.keys(sorts) as Sort[]).flatMap((sort) =>
      (Object.keys(owners) as Owner[]).map((owner) => [sort, owner] as const),
    ),
  )(
    'in the order %s for %s has what a plain filter finds, whatever the filter and the page (Contract 2.5.6, 4.3.3, 4.3.6, 4.3.7)',
    async (sort, owner) => {
      const [, isReached] = owners[owner];
      for (const [filter, isListed] of Object.entries(jobFilters).filter(isAsked(owner, sort))) {
        const expected = jobs.filter((job) => job.isCompanyInMedia && isReached(job) && isListed(job));
        const ids = expected.sort(sorts[sort]).map(({ publicId }) => publicId);
        await expectListed('jobs', [owner, sort, filter], ids);
      }
    },
  );

  it.each(
    (Object.keys(sorts) as Sort[]).flatMap((sort) =>
      ['', 'name: "compta"'].map((filter) => [sort, filter] as const),
    ),
  )(
    'in the order %s with { %s } misses no job that does not change while somebody pages, and has none twice in a page (Contract 4.3.7)',
    async (sort, filter) => {
      const { collection } = gateway.models.jobs;
      const before = await collection.find().toArray();
      const movers = jobs.filter(() => random(4) === 0);
      const still = jobs.filter(
        (job) => job.isCompanyInMedia && !movers.includes(job) && (filter === '' || name === job.name),
      );
      for (const owner of ['media', 'partner and brand'] as const) {
        const found: string[] = [];
        for await (const page of pagesOf(
          'jobs',
          `sort: ${sort}, filter: { ${filter} }`,
          owner,
          oneOf(5, 20),
        )) {
          const ids = idsOf(page);
          expect(new Set(ids).size).toBe(ids.length);
          found.push(...ids);
          const { publicId } = oneOf(...movers);
          const change = oneOf(
            { changedAt: inDays(-random(12)), state: 'archived' },
            { changedAt: new Date(), state: 'published', publishedAt: new Date(), expiresAt: inDays(2) },
            { isCompanyInMedia: false },
          );
          await collection.updateOne({ publicId }, { $set: change });
        }
        const reached = still
          .filter(owners[owner][1])
          .sort(sorts[sort])
          .map(({ publicId }) => publicId);
        expect(found.filter((id) => reached.includes(id))).toEqual(reached);
      }
      await collection.deleteMany({});
      await collection.insertMany(before);
    },
  );
  const name = 'Comptable';

  it('ends a page early, with a cursor, once it has looked at enough (Contract 4.3.7)', async () => {
    const lengths: number[] = [];
    for await (const page of pagesOf('jobs', 'filter: { name: "eclair" }', 'media', 100))
      lengths.push(page.edges.length);
    const listed = jobs.filter(({ isCompanyInMedia }) => isCompanyInMedia);
    expect(lengths).toHaveLength(Math.ceil(listed.length / bounds.entries));
  });

  it.each([
    ['public_id', 'updated_at_desc'],
    ['updated_at_desc', 'published_at_desc'],
    ['published_at_desc', 'public_id'],
  ])(
    'refuses a cursor of the order %s in the order %s, and in a list by ids, with 422 (Contract 4.3.6)',
    async (of, sort) => {
      const page = (await pagesOf('jobs', `sort: ${of}`, 'media', 5).next()) as { value: Page };
      const after = page.value.pageInfo.endCursor;
      const token = await gateway.token();
      for (const args of [`sort: ${sort}`, 'filter: { publicIds: ["Z"] }']) {
        const query = `{ jobs(mediaPublicId: "demo-media", after: "${after}", ${args}) { edges { cursor } } }`;
        const { body } = await graphql(gateway, query, {}, { token });
        expect(body.errors?.[0]?.extensions).toMatchObject({
          error: 'validation-failed',
          fields: [{ path: ['after'], reason: 'format' }],
        });
      }
    },
  );

  it.each(Object.keys(sorts))('continues after each of its cursors in the order %s', async (sort) => {
    for await (const page of pagesOf('jobs', `sort: ${sort}`, 'media', 100)) {
      const ids = idsOf(page);
      for (const index of [0, 1, 50]) {
        const after = page.edges[index]?.cursor;
        if (after === undefined || !ids[index + 1]) continue;
        const query = `{ list: jobs(mediaPublicId: "demo-media", first: 1, after: "${after}", sort: ${sort}) { edges { node { publicId } } } }`;
        const { body } = await graphql(gateway, query, {}, { token: await gateway.token() });
        expect(idsOf(body.data?.list as Page)).toEqual([ids[index + 1]]);
      }
    }
  });
});

describe('a list of companies', () => {
  it.each(Object.keys(owners) as Owner[])(
    'for %s has what a plain filter finds, whatever the order, the filter and the page (Contract 4.3.3)',
    async (owner) => {
      const [, isReached] = owners[owner];
      for (const sort of ['public_id', 'updated_at_desc'] as const)
        for (const [filter, isListed] of Object.entries(companyFilters)) {
          const expected = companies.filter((company) => isReached(company) && isListed(company));
          const compare = sort === 'public_id' ? byId : latestFirst('changedAt');
          const ids = expected.sort(compare).map(({ publicId }) => publicId);
          await expectListed('companies', [owner, sort, filter], ids);
        }
    },
  );
});
