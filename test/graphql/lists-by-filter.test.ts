import { describe, expect, it } from '@jest/globals';
import { ownGateway } from '../support/own-gateway.js';
import { graphql, rest } from '../support/requests.js';
import { type usualClaims } from '../support/tokens.js';

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

  it('narrows by every field (Contract 4.3.3)', async () => {
    expect(
      await idsOf('jobs', 'filter: { states: [published, draft], companyPublicIds: ["acme", "globex"] }'),
    ).toEqual(['acme-backend-engineer', 'acme-data-analyst', 'acme-office-manager', 'globex-accountant']);
    expect(
      await idsOf(
        'jobs',
        'filter: { states: [published, draft], companyPublicIds: ["acme"], name: "engineer" }',
      ),
    ).toEqual(['acme-backend-engineer']);
  });

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
