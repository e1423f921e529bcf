import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  getNamedType,
  type GraphQLInputField,
  type GraphQLInputObjectType,
  isEnumType,
  isListType,
  isObjectType,
} from 'graphql';
import { nodeId } from '../../src/fields/row.rules.js';
import { buildSchema } from '../../src/graphql/schema.js';
import { statement } from '../support/contract-text.js';
import { ownGateway } from '../support/own-gateway.js';
import { graphql, rest } from '../support/requests.js';
import { type usualClaims } from '../support/tokens.js';
import { updateCompany, updateJob } from '../support/updates.js';

const gateway = ownGateway({ ARCHIVER: 'off' });

interface Page {
  edges: { node: { publicId: string } }[];
  totalCount: number | null;
  pageInfo: { hasNextPage: boolean; endCursor: string | null };
}

const fields = 'totalCount edges { node { publicId } } pageInfo { hasNextPage endCursor }';

async function ask(list: string, args: string, claims: Partial<typeof usualClaims> = {}) {
  const query = `{ list: ${list}(mediaPublicId: "demo-media", ${args}) { ${fields} } }`;
  return (await graphql(gateway, query, {}, { token: await gateway.token(claims) })).body;
}

async function pageOf(...asked: Parameters<typeof ask>): Promise<Page & { ids: string[] }> {
  const { data, errors } = await ask(...asked);
  expect(errors).toBeUndefined();
  const page = data?.list as Page;
  return { ...page, ids: page.edges.map(({ node }) => node.publicId) };
}

const idsOf = async (...asked: Parameters<typeof ask>) => (await pageOf(...asked)).ids;

const some = ['globex-accountant', 'none', 'acme-night-guard', 'acme-backend-engineer', 'acme-night-guard'];
const ids = JSON.stringify(some);

describe('a list by public ids', () => {
  it('has their order, once each, without absent ones, whatever its sort (Contract 4.3.5)', async () => {
    const expected = ['globex-accountant', 'acme-night-guard', 'acme-backend-engineer'];
    for (const sort of ['public_id', 'updated_at_desc', 'published_at_desc'])
      expect(await idsOf('jobs', `filter: { publicIds: ${ids} }, sort: ${sort}`)).toEqual(expected);
    expect(await idsOf('jobs', `filter: { publicIds: ${ids}, states: [archived, draft] }`)).toEqual(
      expected.slice(0, 1),
    );
    expect(await idsOf('companies', 'filter: { publicIds: ["globex", "initech", "acme"] }')).toEqual([
      'globex',
      'acme',
    ]);
  });

  it('leaves out what is out of reach, for a token of several roles too (Contract 3.3, 4.3.5)', async () => {
    const partner = { roles: ['media_partner'], sub: 'partner-a' };
    const brand = { roles: ['brand_admin'], brand: 'acme-group', media: undefined };
    const both = { roles: ['media_partner', 'brand_admin'], sub: 'nobody', brand: 'acme-group' };
    const filter = `filter: { publicIds: ${ids} }`;
    expect(await idsOf('jobs', filter, partner)).toEqual(['acme-backend-engineer']);
    for (const claims of [brand, both])
      expect(await idsOf('jobs', filter, claims)).toEqual(['acme-night-guard', 'acme-backend-engineer']);
  });

  it('pages through the ids, `first` of them a page, present or not (Contract 4.3.5)', async () => {
    const pages: string[][] = [];
    let after = '';
    for (let hasNextPage = true; hasNextPage && pages.length < 9;) {
      const page = await pageOf('jobs', `first: 2, after: "${after}", filter: { publicIds: ${ids} }`);
      expect(page.totalCount).toBe(3);
      pages.push(page.ids);
      hasNextPage = page.pageInfo.hasNextPage;
      after = page.pageInfo.endCursor ?? '';
    }
    expect(pages).toEqual([['globex-accountant'], ['acme-night-guard', 'acme-backend-engineer']]);
    const { errors } = await ask('jobs', `after: "${after}", filter: { publicIds: ["acme-night-guard"] }`);
    expect(errors?.[0]?.extensions).toMatchObject({ fields: [{ path: ['after'], reason: 'format' }] });
  });

  it('is the list of GET /jobs with repeated public-id (Contract 4.4.2)', async () => {
    const query = some.map((id) => `&public-id=${id}`).join('');
    const read = async (path: string) =>
      (await rest(gateway, 'GET', path, undefined, { token: await gateway.token() })).body;
    const { data } = await read(`/jobs?media-public-id=demo-media${query}`);
    expect((data as unknown as { public_id: string }[]).map(({ public_id: id }) => id)).toEqual([
      'globex-accountant',
      'acme-night-guard',
      'acme-backend-engineer',
    ]);
    const many = '&public_id=x'.repeat(101);
    const { errors } = await read(`/jobs?media-public-id=demo-media&state=open&state=draft${many}`);
    expect(errors?.map(({ field, code }) => [field, code])).toEqual([
      ['state', 'state-format-error'],
      ['public_id', 'public_id-too-long'],
    ]);
  });
});

describe('a filter', () => {
  it.each([
    ['jobs', '{ states: [] }'],
    ['jobs', '{ publicIds: [] }'],
    ['jobs', '{ companyPublicIds: [], states: [draft] }'],
    ['companies', '{ publicIds: [], isPublished: true }'],
  ])('of %s that is %s matches nothing (Contract 4.3.3)', async (list, filter) => {
    expect(await pageOf(list, `filter: ${filter}`)).toMatchObject({ ids: [], totalCount: 0 });
  });

  it.each(['null', '{}', '{ states: null, companyPublicIds: null, publicIds: null, updatedSince: null }'])(
    'that is %s matches all jobs (Contract 4.3.3)',
    async (filter) => {
      expect(await idsOf('jobs', `filter: ${filter}`)).toEqual(await idsOf('jobs', 'first: 20'));
    },
  );

  it('with more than 100 ids is refused, with every fault (Contract 4.3.5, 7.4)', async () => {
    const many = JSON.stringify(Array.from({ length: 101 }, () => 'a'));
    const { errors } = await ask(
      'jobs',
      `first: 101, filter: { companyPublicIds: ${many}, publicIds: ${many} }`,
    );
    expect(errors?.[0]?.extensions).toMatchObject({
      error: 'validation-failed',
      fields: [
        { path: ['filter', 'publicIds'], reason: 'too_many' },
        { path: ['filter', 'companyPublicIds'], reason: 'too_many' },
        { path: ['first'], reason: 'too_many' },
      ],
    });
    const { errors: ofCompanies } = await ask('companies', `filter: { publicIds: ${many} }`);
    expect(ofCompanies?.[0]?.extensions).toMatchObject({
      fields: [{ path: ['filter', 'publicIds'], reason: 'too_many' }],
    });
  });
});

const shown = '{ edges { node { publicId } } }';
const ofMedia = `mediaPublicId: "demo-media", first: 100`;
const inMedia = (list: string) => `node(id: "${nodeId('Media', 'demo-media')}") { ... on Media { ${list} } }`;

/** How each list of the schema that takes a filter is read. */
const filtered: Record<string, (filter: string) => string> = {
  'Query.jobs': (filter) => `jobs(${ofMedia}, filter: ${filter}) ${shown}`,
  'Query.jobCounts': (filter) => `jobCounts(mediaPublicId: "demo-media", filter: ${filter}) { count }`,
  'Query.companies': (filter) => `companies(${ofMedia}, filter: ${filter}) ${shown}`,
  'Media.jobs': (filter) => inMedia(`jobs(first: 100, filter: ${filter}) ${shown}`),
  'Media.companies': (filter) => inMedia(`companies(first: 100, filter: ${filter}) ${shown}`),
  'Company.jobs': (filter) =>
    `company(mediaPublicId: "demo-media", publicId: "acme") { jobs(first: 100, filter: ${filter}) ${shown} }`,
};

/** The filter of each list of the schema. */
const filters = Object.values(buildSchema().getTypeMap())
  .filter(isObjectType)
  .flatMap((type) =>
    Object.values(type.getFields()).flatMap(({ name, args }) => {
      const filter = args.find((arg) => arg.name === 'filter');
      return filter
        ? [[`${type.name}.${name}`, getNamedType(filter.type)] as [string, GraphQLInputObjectType]]
        : [];
    }),
  );

describe('each field of a filter', () => {
  /** All texts and instants that are stored, as possible conditions. */
  let pool: unknown[];
  let all: Map<string, number>;

  beforeAll(async () => {
    await gateway.reset();
    const token = await gateway.token();
    // One job and one company change later than the others.
    await updateJob(gateway, { salary: 'new' }, { token });
    await updateCompany(gateway, { description: 'new' }, { token });
    const { jobs, companies, references } = gateway.models;
    // A job past its end is listed, but counted in no state before its archiving is stored.
    await jobs.deleteMany({ expiresAt: { $lte: new Date() } });
    const records: { publicId: string }[] = [
      ...(await jobs.find().lean()),
      ...(await companies.find().lean()),
      ...(await references.find().lean()),
    ];
    const leaves = (value: unknown): unknown[] =>
      typeof value === 'object' && value !== null ? Object.values(value).flatMap(leaves) : [value];
    const publicIds = records.map(({ publicId }) => publicId);
    pool = [...new Set([...publicIds, ...leaves(JSON.parse(JSON.stringify(records)))])];
    all = new Map(
      await Promise.all(filters.map(async ([list]) => [list, await countOf(list, '{}')] as const)),
    );
  });

  /** How many records the list has, or how many jobs its counts count. */
  async function countOf(list: string, filter: string): Promise<number> {
    const { body } = await graphql(
      gateway,
      `{ ${filtered[list]!(filter)} }`,
      {},
      { token: await gateway.token() },
    );
    expect(body.errors).toBeUndefined();
    const counts = [...JSON.stringify(body.data).matchAll(/"count":(\d+)/g)].map(([, count]) =>
      Number(count),
    );
    return list === 'Query.jobCounts'
      ? counts.reduce((sum, count) => sum + count, 0)
      : JSON.stringify(body.data).split('"publicId"').length - 1;
  }

  function conditions({ type }: GraphQLInputField): { sent: string; text: string }[] {
    const named = getNamedType(type);
    const texts = pool.filter((each) => typeof each === 'string' && each.length < 60) as string[];
    const values: Record<string, unknown[]> = {
      Boolean: [true, false],
      DateTimeISO: texts
        .filter((text) => /^\d{4}-.*Z$/.test(text))
        .sort()
        .reverse(),
    };
    const possible = isEnumType(named)
      ? named.getValues().map(({ name }) => name)
      : (values[named.name] ?? texts);
    return possible.map((value) => {
      const literal = isEnumType(named) ? String(value) : JSON.stringify(value);
      return { sent: isListType(type) ? `[${literal}]` : literal, text: String(value) };
    });
  }

  const cells = [...new Set(filters.map(([, type]) => type))].flatMap((type) =>
    Object.values(type.getFields()).map((field) => [`${type.name}.${field.name}`, type, field] as const),
  );

  it.each(cells)(
    '%s narrows each list that takes it, over REST too (Contract 4.3.3, 4.4.2)',
    async (_name, type, field) => {
      const lists = filters.flatMap(([list, own]) => (own === type ? [list] : []));
      const narrows = (list: string, count: number) => count > 0 && count < all.get(list)!;
      for (const { sent, text } of conditions(field)) {
        const filter = `{ ${field.name}: ${sent} }`;
        const [first = ''] = lists;
        const count = await countOf(first, filter);
        if (!narrows(first, count)) continue;
        for (const list of lists) expect([list, await countOf(list, filter)]).toEqual([list, count]);
        if (type.name !== 'JobFilter') return;
        const parameter = (isListType(field.type) ? field.name.replace(/s$/, '') : field.name).replace(
          /[A-Z]/g,
          (letter) => `-${letter.toLowerCase()}`,
        );
        const query = `media-public-id=demo-media&${parameter}=${encodeURIComponent(text)}`;
        const read = async (path: string) => {
          const { body } = await rest(gateway, 'GET', path, undefined, { token: await gateway.token() });
          return body.data as unknown as { count: number }[];
        };
        expect(await read(`/jobs?first=100&${query}`)).toHaveLength(count);
        const counts = await read(`/job-counts?${query}`);
        expect(counts.reduce((sum, each) => sum + each.count, 0)).toBe(count);
        return;
      }
      throw new Error(
        'Nothing in the demo data narrows a list by this field: give one record another value.',
      );
    },
  );

  it('is in the contract, and each that the contract has is there (Contract 4.3.3)', () => {
    const [ofJobs = '', ofCompanies = ''] = statement('4.3.3').split('`filter` of `companies`');
    const named = (text: string) =>
      [...text.matchAll(/^\| (`[^|]*`) +\|/gm)].flatMap(([, names = '']) => names.match(/\w+/g) ?? []).sort();
    const fieldsOf = (list: string) => Object.keys(new Map(filters).get(list)!.getFields()).sort();
    expect(named(ofJobs.replace('`filter` of `jobs`', ''))).toEqual(fieldsOf('Query.jobs'));
    expect(named(ofCompanies)).toEqual(fieldsOf('Query.companies'));
    expect(filters.map(([list]) => list).sort()).toEqual(Object.keys(filtered).sort());
  });
});
