import { describe, expect, it } from '@jest/globals';
import { ownGateway } from '../support/own-gateway.js';
import { graphql } from '../support/requests.js';
import { type usualClaims } from '../support/tokens.js';

const gateway = ownGateway({ ARCHIVER: 'off' });

async function ask(query: string, claims: Partial<typeof usualClaims> = {}) {
  return (await graphql(gateway, query, {}, { token: await gateway.token(claims) })).body;
}

interface Listed {
  totalCount?: number;
  edges: { node: { publicId: string; jobs?: Listed } }[];
  pageInfo: { hasNextPage: boolean; endCursor: string | null };
}
const page = 'totalCount edges { node { publicId } } pageInfo { hasNextPage endCursor }';
const inMedia = (fields: string) => `{ media(first: 1) { edges { node { publicId ${fields} } } } }`;

async function mediaOf(...asked: Parameters<typeof ask>) {
  const { data, errors } = await ask(...asked);
  expect(errors).toBeUndefined();
  const { media } = data as { media: { edges: { node: Record<'jobs' | 'companies', Listed> }[] } };
  return media.edges.map(({ node }) => node);
}

const callers: Record<string, Partial<typeof usualClaims>> = {
  'a media': {},
  'a partner': { roles: ['media_partner'], sub: 'partner-a' },
  'a brand': { roles: ['brand_admin'], brand: 'acme-group', media: undefined },
  'a partner and brand': { roles: ['media_partner', 'brand_admin'], sub: 'partner-a', brand: 'acme-group' },
};

describe('a list within a record', () => {
  it.each([
    ['jobs', ''],
    ['jobs', '(first: 2, sort: published_at_desc)'],
    ['jobs', '(filter: { states: [draft, archived], companyPublicIds: ["acme", "globex"] })'],
    ['jobs', '(filter: { publicIds: ["globex-accountant", "none", "acme-night-guard"] })'],
    ['companies', '(first: 1)'],
    ['companies', '(filter: { isPublished: true, name: "a" }, sort: updated_at_desc)'],
  ] as const)('is the list of the root: %s%s (Contract 4.2.3)', async (list, args) => {
    for (const claims of Object.values(callers)) {
      const root = `${list}${args ? args.replace('(', '(mediaPublicId: "demo-media", ') : '(mediaPublicId: "demo-media")'}`;
      const { data } = await ask(`{ root: ${root} { ${page} } }`, claims);
      const [media] = await mediaOf(inMedia(`${list}${args} { ${page} }`), claims);
      expect(media?.[list]).toEqual(data?.root);
    }
  });

  it('has a company’s jobs in its media (Contract 4.2.3)', async () => {
    const { data } = await ask(
      `{ company(mediaPublicId: "demo-media", publicId: "acme") { jobs(first: 2, filter: { states: [published, draft] }) { ${page} } } }`,
    );
    const { data: root } = await ask(
      `{ jobs(mediaPublicId: "demo-media", first: 2, filter: { companyPublicIds: ["acme"], states: [published, draft] }) { ${page} } }`,
    );
    expect((data?.company as { jobs: Listed }).jobs).toEqual(root?.jobs);
    const [media] = await mediaOf(
      inMedia('companies(first: 9) { edges { node { publicId jobs { edges { node { publicId } } } } } }'),
      { roles: ['media_partner'], sub: 'partner-a' },
    );
    expect(media?.companies.edges.map(({ node }) => [node.publicId, node.jobs?.edges.length])).toEqual([
      ['acme', 1],
    ]);
  });

  it.each([
    ['jobs', 'r_companies', inMedia('jobs { edges { cursor } }'), 'jobs'],
    ['companies', 'r_jobs', inMedia('companies(first: 9) { edges { cursor } }'), 'companies'],
    [
      'jobs of a company',
      'r_companies',
      '{ company(mediaPublicId: "demo-media", publicId: "acme") { publicId jobs { edges { cursor } } } }',
      'jobs',
    ],
  ])(
    'is null, with an error, without the scope for it: %s (Contract 3.2.4, 4.2.3)',
    async (_, scope, query, field) => {
      const { data, errors } = await ask(query, { scope });
      expect(errors?.[0]?.extensions.error).toBe('unauthorized-limitation');
      expect(errors?.[0]?.path?.at(-1)).toBe(field);
      expect(JSON.stringify(data)).toContain(`"${field}":null`);
    },
  );

  it('reports its faults at its place', async () => {
    const { errors } = await ask(inMedia('jobs(first: 101) { edges { cursor } }'));
    expect(errors).toMatchObject([
      {
        path: ['media', 'edges', 0, 'node', 'jobs'],
        extensions: { fields: [{ path: ['first'], reason: 'too_many' }] },
      },
    ]);
  });
});
