import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import mongoose from 'mongoose';
import { demoData } from '../../src/demo/demo-data.js';
import { ownGateway } from '../support/own-gateway.js';
import { dataOf, graphql } from '../support/requests.js';

// The archiver would send database commands, which a test counts.
const gateway = ownGateway({ ARCHIVER: 'off' });
let token: string;
beforeAll(async () => void (token = await gateway.token()));
beforeEach(() => gateway.reset());

interface Connection {
  edges: { cursor: string; node: { publicId: string } }[];
  pageInfo: { hasNextPage: boolean; hasPreviousPage: boolean; endCursor: string | null };
}

async function list(
  field: 'jobs' | 'companies',
  args: string,
  as = token,
): Promise<Connection & { names: string[] }> {
  const query = `{ list: ${field}(mediaPublicId: "demo-media", ${args}) {
    edges { cursor node { publicId } } pageInfo { hasNextPage hasPreviousPage endCursor }
  } }`;
  const { list: connection } = await dataOf<{ list: Connection }>(gateway, query, {}, { token: as });
  return { ...connection, names: connection.edges.map(({ node }) => node.publicId) };
}

const ofAcme = ['acme-backend-engineer', 'acme-data-analyst', 'acme-night-guard', 'acme-office-manager'];

describe('the query jobs', () => {
  it('accepts spaces around the media id (Contract 5.1.8)', async () => {
    const query = '{ jobs(mediaPublicId: " demo-media\\n") { edges { node { publicId } } } }';
    const { jobs } = await dataOf<{ jobs: Connection }>(gateway, query, {}, { token });
    expect(jobs.edges).toHaveLength(ofAcme.length + 1);
  });

  it('returns pages with stable cursors (Contract 4.3.1)', async () => {
    const names: string[] = [];
    let page = await list('jobs', 'first: 2');
    expect(page.pageInfo.hasPreviousPage).toBe(false);
    names.push(...page.names);
    while (page.pageInfo.hasNextPage) {
      page = await list('jobs', `first: 2, after: "${page.pageInfo.endCursor}"`);
      expect(page.pageInfo.hasPreviousPage).toBe(true);
      names.push(...page.names);
    }
    expect(names).toEqual([...ofAcme, 'globex-accountant']);
  });

  it('treats an empty cursor as no cursor (Contract 4.3.1)', async () => {
    expect(await list('jobs', 'first: 2, after: ""')).toEqual(await list('jobs', 'first: 2'));
    const read = async (args: string) =>
      (
        await graphql(
          gateway,
          `{ job(publicId: "acme-backend-engineer") { history${args} { edges { cursor } } } }`,
          {},
          { token },
        )
      ).body;
    expect((await read('(after: "")')).data).toEqual((await read('')).data);
  });

  it('treats null as the default page size, also in a variable (Contract 4.3.1, 6.1.5)', async () => {
    const [pattern] = demoData(new Date()).jobs;
    await gateway.models.jobs.insertMany(
      Array.from({ length: 25 }, (_, index) => ({
        ...pattern,
        _id: new mongoose.Types.ObjectId(),
        publicId: `null-${index}`,
      })),
    );
    const read = async (first: string, declared = '') => {
      const query = `query ${declared} {
        jobs(mediaPublicId: "demo-media", filter: { name: "${pattern?.name}" } ${first}) { edges { cursor } }
        companies(mediaPublicId: "demo-media" ${first}) { edges { cursor } }
        job(publicId: "acme-backend-engineer") { history(after: "" ${first}) { edges { cursor } } }
        company(mediaPublicId: "demo-media", publicId: "acme") { history(after: "" ${first}) { edges { cursor } } }
      }`;
      return dataOf<{ jobs: Connection }>(gateway, query, { first: null }, { token });
    };
    const absent = await read('');
    expect(absent.jobs.edges).toHaveLength(20);
    expect(await read('first: null')).toEqual(absent);
    expect(await read('first: $first', '($first: Int)')).toEqual(absent);
  });
});

describe('a slow list', () => {
  it('is aborted by the database before DATABASE_TIMEOUT, after which the driver would resend it', async () => {
    const bounds: unknown[] = [];
    mongoose.set('debug', (collection, _method, ...given: unknown[]) => {
      if (/^(jobs|companies)$/.test(String(collection)))
        bounds.push(given.map((each) => (Object(each) as { maxTimeMS?: number }).maxTimeMS));
    });
    await list('jobs', 'first: 1');
    await list('companies', 'first: 1');
    mongoose.set('debug', false);
    expect(bounds).toHaveLength(2);
    for (const given of bounds) expect(given).toContain(0.9 * gateway.settings.databaseTimeoutMs);
  });
});

describe('the query viewer (Contract 4.1.5)', () => {
  const gateway = ownGateway({
    READ_QUOTA: '9/60s',
    UPDATE_JOB_QUOTA: '2/60s',
    MUTATION_QUOTA: '5/60s',
  });

  it('shows subject, roles, scopes, reach and expiry of the token, and what is left of each quota', async () => {
    const token = await gateway.token({ sub: 'me', brand: 'acme-group', roles: ['brand_admin', 'made_up'] });
    const query = '{ viewer { subject roles scopes media brand expiresAt quotas { name limit remaining } } }';
    const { body } = await graphql(gateway, query, {}, { token });
    const { viewer } = body.data as { viewer: { expiresAt: string } };
    expect(viewer).toEqual({
      subject: 'me',
      roles: ['brand_admin'],
      scopes: ['r_w_jobs', 'r_w_companies'],
      media: ['demo-media'],
      brand: 'acme-group',
      expiresAt: viewer.expiresAt,
      quotas: [
        { name: 'updateJob', limit: 2, remaining: 2 },
        { name: 'mutation', limit: 5, remaining: 5 },
        { name: 'read', limit: 9, remaining: 8 },
      ],
    });
    expect(Math.abs(new Date(viewer.expiresAt).getTime() - Date.now() - 3_600_000)).toBeLessThan(60_000);
    expect(JSON.stringify(body)).not.toContain(token);
  });
});
