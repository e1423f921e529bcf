import { beforeAll, describe, expect, it } from '@jest/globals';
import { nodeId, readNodeId } from '../../src/fields/row.rules.js';
import { examinedBy } from '../support/examined.js';
import { ownGateway } from '../support/own-gateway.js';
import { dataOf, graphql } from '../support/requests.js';
import { SentCommands } from '../support/sent-commands.js';

const sent = new SentCommands();
const gateway = ownGateway({ ARCHIVER: 'off', READ_QUOTA: '1000/1s' }, { tracing: sent.tracing });
let token: string;
beforeAll(async () => {
  token = await gateway.token({ media: ['demo-media', 'other-media'] });
  const acme = await gateway.models.companies.findOne({ publicId: 'acme' }).lean();
  await gateway.models.companies.collection.updateOne(
    { publicId: 'acme' },
    {
      $set: {
        memberships: [
          ...(acme?.memberships ?? []),
          { media: 'other-media', isPublished: false, isVmePagePublished: false },
        ],
      },
    },
  );
});

const ask = <Data>(document: string, variables = {}, by = token) =>
  dataOf<Data>(gateway, document, variables, { token: by });

const jobId = nodeId('Job', 'acme-backend-engineer');
const companyId = nodeId('Company', 'demo-media', 'acme');

describe('the id of a node (Contract 4.2.1)', () => {
  it('of a company differs in each media, and the media decides the flags', async () => {
    const fields = 'id recordId mediaPublicId publicId isPublished';
    const { one, other } = await ask<Record<'one' | 'other', Record<string, unknown>>>(
      `{ one: company(mediaPublicId: "demo-media", publicId: "acme") { ${fields} }
         other: company(mediaPublicId: "other-media", publicId: "acme") { ${fields} } }`,
    );
    expect(one).toEqual({ ...other, id: companyId, mediaPublicId: 'demo-media', isPublished: true });
    expect(other).toMatchObject({ isPublished: false, id: nodeId('Company', 'other-media', 'acme') });
    expect(one.recordId).toMatch(/^[\da-f]{24}$/);
  });

  it('is the same by whatever way a record is read (Contract 4.2.3)', async () => {
    const data = await ask(`{
      job(publicId: "acme-backend-engineer") { id company { id } employer { id } media { id } }
      jobs(mediaPublicId: "demo-media", first: 1) { edges { node { id employer { id } media { id name } } } }
      company(mediaPublicId: "demo-media", publicId: "acme") { id }
      media { edges { node { id name } } }
      node(id: "${jobId}") { id ... on Job { employer { id } } }
    }`);
    const shown = { id: jobId, employer: { id: companyId } };
    const media = { id: nodeId('Media', 'demo-media'), name: 'Demo Media' };
    expect(data).toEqual({
      job: { ...shown, company: { id: companyId }, media: { id: media.id } },
      jobs: { edges: [{ node: { ...shown, media } }] },
      company: { id: companyId },
      media: {
        edges: [{ node: media }, { node: { id: nodeId('Media', 'other-media'), name: 'Other Media' } }],
      },
      node: shown,
    });
  });

  it.each(['', 'x', 'Job', 'acme', `${jobId}=`, ` ${jobId}`, jobId.slice(1), nodeId('Job', 'a b'), '\u0000'])(
    'is not %j',
    (id) => {
      expect(readNodeId(id)).toBeNull();
    },
  );
});

describe('nodes (Contract 4.2.2)', () => {
  it('reads records of each kind in the order of the ids, null where there is none', async () => {
    const ids = [
      nodeId('Media', 'other-media'),
      'malformed',
      jobId,
      nodeId('Job', 'initech-tester'),
      nodeId('Company', 'other-media', 'acme'),
      nodeId('Company', 'demo-media', 'initech'),
      companyId,
      nodeId('Job', 'nowhere'),
      nodeId('Media', 'nowhere'),
      jobId,
    ];
    const { nodes } = await ask<{ nodes: unknown[] }>(
      `query ($ids: [ID!]!) { nodes(ids: $ids) { __typename id ...Named
        ... on Job { jobUrl company { name } jobPosting history(first: 1) { totalCount } } } }
       fragment Named on Node { ... on Company { name mediaPublicId sizeReference { name } } ... on Media { name } }`,
      { ids },
    );
    const job = { __typename: 'Job', id: jobId, company: { name: 'Acme' }, history: { totalCount: 0 } };
    expect(nodes).toMatchObject([
      { __typename: 'Media', id: ids[0], name: 'Other Media' },
      null,
      { ...job, jobPosting: { title: 'Backend Engineer' } },
      { __typename: 'Job', jobUrl: expect.stringContaining('https://other-media.example/') },
      { __typename: 'Company', mediaPublicId: 'other-media', name: 'Acme' },
      null,
      { __typename: 'Company', mediaPublicId: 'demo-media', sizeReference: { name: expect.any(String) } },
      null,
      null,
      { ...job, jobPosting: { title: 'Backend Engineer' } },
    ]);
  });

  it('refuses more than 100 ids', async () => {
    const ids = Array.from({ length: 101 }, (_, index) => nodeId('Job', String(index)));
    const { body } = await graphql(
      gateway,
      'query ($ids: [ID!]!) { nodes(ids: $ids) { id } }',
      { ids },
      { token },
    );
    expect(body.data).toBeNull();
    expect(body.errors?.[0]?.extensions).toMatchObject({
      error: 'validation-failed',
      fields: [{ path: ['ids'], reason: 'too_many' }],
    });
  });
});

describe('media (Contract 4.2.4)', () => {
  const list = async (claims: Parameters<typeof gateway.token>[0], given = '') => {
    const by = await gateway.token(claims);
    const { media } = await ask<{ media: { edges: { node: { publicId: string } }[]; totalCount: number } }>(
      `{ media${given} { edges { node { publicId } } totalCount } }`,
      {},
      by,
    );
    return [media.edges.map(({ node }) => node.publicId), media.totalCount];
  };

  it('lists the existing media of the token', async () => {
    const media = ['demo-media', 'no-media', 'other-media'];
    expect(await list({ media })).toEqual([['demo-media', 'other-media'], 2]);
    expect(await list({ media, roles: ['media_partner'] }, '(first: 1)')).toEqual([['demo-media'], 2]);
  });

  it('lists the media that the companies of a brand are in, narrowed by the token', async () => {
    const brand = { roles: ['brand_admin'], brand: 'acme-group' };
    expect(await list({ ...brand, media: undefined })).toEqual([['demo-media', 'other-media'], 2]);
    expect(await list({ ...brand, media: ['other-media'] })).toEqual([['other-media'], 1]);
    expect(await list({ ...brand, media: undefined, brand: 'nobodys' })).toEqual([[], 0]);
  });
});

describe('the media of a brand with many companies', () => {
  const claims = { roles: ['brand_admin'], brand: 'large', media: undefined };
  const insertCompanies = async (count: number, media: string) => {
    const projection = { _id: 0, domainKey: 0 };
    const company = await gateway.models.companies.collection.findOne({ publicId: 'acme' }, { projection });
    await gateway.models.companies.collection.insertMany(
      Array.from({ length: count }, (_, index) => ({
        ...{ ...company, publicId: `${media}-${index}`, nameKey: `${media} ${index}`, brand: 'large' },
        memberships: [{ media, isPublished: true, isVmePagePublished: true }],
      })),
    );
  };
  beforeAll(async () => {
    await insertCompanies(500, 'demo-media');
  });

  it('are read by a seek for each media, whatever the number of companies (Contract 4.2.4)', async () => {
    const by = await gateway.token(claims);
    const media = { id: nodeId('Media', 'demo-media'), publicId: 'demo-media' };
    for (const [document, data] of [
      [
        '{ media { edges { node { id publicId } } totalCount } }',
        { media: { edges: [{ node: media }], totalCount: 1 } },
      ],
      [`{ node(id: "${media.id}") { id ... on Media { publicId } } }`, { node: media }],
      [`{ node(id: "${nodeId('Media', 'other-media')}") { id } }`, { node: null }],
    ] as const) {
      sent.forget();
      expect(await ask(document, {}, by)).toEqual(data);
      expect(sent.to('companies')).toEqual([]);
      for (const { keys, documents } of await examinedBy(gateway.models.jobs.db.db!, sent.to('media')))
        expect([keys, documents].every((each) => each <= 4)).toBe(true);
    }
  });

  it('are looked for among 200 media a page, which then ends early (Contract 4.2.4)', async () => {
    const named = (index: number) => `media-${String(index).padStart(3, '0')}`;
    await gateway.models.media.insertMany(
      Array.from({ length: 450 }, (_, index) => ({
        ...{ publicId: named(index), name: `Media ${index}`, jobUrlTemplate: 'https://example.com/{job}' },
      })),
    );
    await insertCompanies(1, named(448));
    const by = await gateway.token(claims);
    const pages: string[][] = [];
    for (let after = '', hasNextPage = true; hasNextPage && pages.length < 9;) {
      const { media } = await ask<{ media: MediaPage }>(
        `{ media(after: "${after}") { totalCount edges { node { publicId } } pageInfo { hasNextPage endCursor } } }`,
        {},
        by,
      );
      expect(media.totalCount).toBeNull();
      pages.push(media.edges.map(({ node }) => node.publicId));
      hasNextPage = media.pageInfo.hasNextPage;
      after = media.pageInfo.endCursor ?? '';
    }
    expect(pages).toEqual([['demo-media'], [], [named(448)]]);
  });
});

interface MediaPage {
  totalCount: number | null;
  edges: { node: { publicId: string } }[];
  pageInfo: { hasNextPage: boolean; endCursor: string | null };
}
