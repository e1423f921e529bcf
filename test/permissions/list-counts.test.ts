import { beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Types } from 'mongoose';
import { nameKey } from '../../src/text/name-key.rules.js';
import { type Tombstone, tombstoneId } from '../../src/change/tombstone.record.js';
import { type TokenClaims } from '../../src/tokens/token-signer.js';
import { ownGateway } from '../support/own-gateway.js';
import { graphql } from '../support/requests.js';

const dayMs = 86_400_000;
const numRuns = Math.ceil(Number(process.env.FUZZ_REQUESTS ?? 500) / 125);

const gateway = ownGateway({ ARCHIVER: 'off' });
beforeAll(() => gateway.reset());

const roles: Record<string, Partial<TokenClaims>> = {
  media_admin: {},
  'media_partner without a record': { roles: ['media_partner'], sub: 'newcomer' },
  media_partner: { roles: ['media_partner'] },
  brand_admin: { roles: ['brand_admin'], brand: 'ours', media: undefined },
  'brand_admin of one media': { roles: ['brand_admin'], brand: 'ours' },
  'media_partner and brand_admin': { roles: ['media_partner', 'brand_admin'], brand: 'ours' },
};

const now = Date.now();

/** `database/lists.test.ts` counts jobs. */
const lists: Record<string, { filters: string[]; scopes?: string[]; node: string }> = {
  companies: {
    filters: ['', 'sort: updated_at_desc', 'filter: { name: "1" }', 'filter: { isPublished: true }'],
    node: 'publicId',
  },
  changes: {
    filters: [''],
    scopes: ['r_jobs', 'r_companies', 'r_jobs r_companies'],
    node: 'kind publicId state',
  },
};
const cases = Object.entries(lists).flatMap(([list, { filters, scopes = ['r_jobs r_companies'], node }]) =>
  filters.flatMap((filter) =>
    scopes.flatMap((scope) =>
      Object.entries(roles).map(([role, claims]) => ({
        list,
        filter,
        node,
        role,
        claims: { ...claims, scope },
      })),
    ),
  ),
);

const media = fc.constantFrom('demo-media', 'other-media');
const owned = {
  createdBy: fc.constantFrom('tester', 'someone'),
  changedDaysAgo: fc.constantFrom(1, 2, 40),
};
const stored = fc.record({
  companies: fc.array(
    fc.record({ ...owned, brand: fc.constantFrom('ours', 'theirs', null), media: fc.uniqueArray(media) }),
    { minLength: 2, maxLength: 5 },
  ),
  jobs: fc.array(
    fc.record({
      ...owned,
      media,
      company: fc.nat(5),
      name: fc.constantFrom('Day porter', 'Night porter'),
      state: fc.constantFrom('draft', 'published', 'archived'),
      publishedDaysAgo: fc.constantFrom(1, 80, 91),
    }),
    { minLength: 5, maxLength: 30 },
  ),
  tombstones: fc.array(
    fc.record({ ...owned, kind: fc.constantFrom('job' as const, 'company' as const), media }),
    { maxLength: 5 },
  ),
});

const before = (days: number) => new Date(now - days * dayMs);

async function store(
  given: typeof stored extends fc.Arbitrary<infer Stored> ? Stored : never,
): Promise<void> {
  const { companies, jobs, tombstones } = gateway.models;
  await gateway.reset();
  const company = await companies.collection.findOne({ publicId: 'acme' });
  const job = await jobs.collection.findOne({ publicId: 'acme-backend-engineer' });
  await Promise.all([companies.collection.deleteMany({}), jobs.collection.deleteMany({})]);
  const companyOf = (index: number) => `company-${index}`;
  await companies.collection.insertMany(
    given.companies.map(({ createdBy, brand, media: all, changedDaysAgo }, index) => ({
      ...company,
      ...{ _id: new Types.ObjectId(), publicId: companyOf(index), name: companyOf(index), createdBy, brand },
      ...{ nameKey: companyOf(index), domainKey: companyOf(index), changedAt: before(changedDaysAgo) },
      memberships: all.map((each) => ({ media: each, isPublished: true, isVmePagePublished: true })),
    })),
  );
  await jobs.collection.insertMany(
    given.jobs.map(({ company: employer, publishedDaysAgo, changedDaysAgo, ...own }, index) => ({
      ...job,
      ...{ _id: new Types.ObjectId(), publicId: `job-${index}`, company: companyOf(employer), ...own },
      nameKey: nameKey(own.name),
      changedAt: before(changedDaysAgo),
      publishedAt: own.state === 'draft' ? null : before(publishedDaysAgo),
    })),
  );
  const gone = given.tombstones.map(({ kind, media: left, createdBy, changedDaysAgo }, index): Tombstone => {
    const publicId = `gone-${index}`;
    const at = before(changedDaysAgo);
    const id = tombstoneId(kind, publicId, left);
    return {
      _id: id,
      media: left,
      kind,
      publicId,
      company: 'company-0',
      version: 2,
      isBack: false,
      brand: 'ours',
      createdBy,
      changedAt: at,
    };
  });
  if (gone.length > 0) await tombstones.collection.insertMany(gone as never);
}

interface Listed {
  list: {
    totalCount?: number;
    edges: { node: object }[];
    pageInfo: { hasNextPage: boolean; endCursor: string | null };
  };
}

async function entriesOf({ list, filter, node, claims }: (typeof cases)[number], first: number) {
  const token = await gateway.token(claims);
  const page = async (after: string) => {
    const args = `mediaPublicId: "demo-media", first: ${first}, after: "${after}", ${filter}`;
    const counted = after === '' ? 'totalCount' : '';
    const query = `{ list: ${list}(${args}) { ${counted} edges { node { ${node} } } pageInfo { hasNextPage endCursor } } }`;
    const { body } = await graphql(gateway, query, {}, { token });
    if (body.errors?.[0]?.extensions.error === 'unauthorized-limitation') return null;
    expect(body.errors).toBeUndefined();
    return (body.data as unknown as Listed).list;
  };
  let listed = await page('');
  if (!listed) return null;
  const { totalCount } = listed;
  const entries = [...listed.edges];
  while (listed?.pageInfo.hasNextPage) {
    listed = await page(listed.pageInfo.endCursor ?? '');
    entries.push(...(listed?.edges ?? []));
  }
  return { totalCount, listed: entries.length };
}

describe('totalCount of a list', () => {
  it('is the number of entries on its pages, whatever the role and the filter (Contract 4.3.2)', async () => {
    const tried = fc.asyncProperty(stored, fc.integer({ min: 1, max: 8 }), async (given, first) => {
      await store(given);
      for (const each of cases) {
        const { totalCount, listed } = (await entriesOf(each, first)) ?? {};
        expect({ ...each, count: totalCount }).toEqual({ ...each, count: listed });
      }
    });
    // A fixed seed makes failures reproducible.
    await fc.assert(tried, { seed: 20_240_229, numRuns, endOnFailure: true });
  });
});
