import { beforeAll, describe, expect, it } from '@jest/globals';
import mongoose from 'mongoose';
import { join } from 'node:path';
import { demoData } from '../../src/demo/demo-data.js';
import { ownGateway } from '../support/own-gateway.js';
import { graphql } from '../support/requests.js';
import { postBody, sha256, writeTrusted } from '../support/trusted.js';
import { ownFolder } from '../support/own-folder.js';

const mostBytes = 2 ** 23;
/** Allowed in addition: what is around the records. */
const roomBytes = 2 ** 14;

const times = (count: number, text: string) =>
  Array.from({ length: count }, (_, index) => `a${index}: ${text}`).join(' ');
const texts = 'description { companyDesc jobDesc profileDesc benefitDesc processDesc }';
const connection = (below: string) =>
  `{ edges { node { publicId ${below} } } pageInfo { hasNextPage endCursor } }`;

/** A trusted document may have any number of aliases. */
const tooMuch = {
  job: `{ job(publicId: "long-00") { ${times(60, texts)} } }`,
  page: `{ list: jobs(mediaPublicId: "demo-media", filter: { name: "long" }, first: 1) ${connection(times(60, texts))} }`,
  updates: `mutation {
    one: updateJob(input: { jobPublicId: "long-00", salary: "one" }) { job { ${times(60, texts)} } }
    other: updateJob(input: { jobPublicId: "long-01", salary: "other" }) { job { publicId } } }`,
};
const folder = ownFolder();
const documents = join(folder, 'documents.json');
await writeTrusted(documents, Object.values(tooMuch));

describe('a reply (Contract 8.4.8)', () => {
  const gateway = ownGateway({ ARCHIVER: 'off', TRUSTED_DOCUMENTS: documents });
  const publicIds = Array.from({ length: 12 }, (_, index) => `long-${String(index).padStart(2, '0')}`);
  let token: string;

  beforeAll(async () => {
    token = await gateway.token();
    const [job] = demoData(new Date()).jobs;
    const [company] = demoData(new Date()).companies;
    const text = `<p>${'"é'.repeat(9_990)}</p>`;
    const parts = ['companyDesc', 'jobDesc', 'profileDesc', 'benefitDesc', 'processDesc'];
    const description = Object.fromEntries(parts.map((part) => [part, text]));
    const _ids = publicIds.map(() => new mongoose.Types.ObjectId());
    await gateway.models.jobs.insertMany(
      publicIds.map((publicId, index) => ({
        ...job,
        _id: _ids[index],
        publicId,
        ...{ name: 'long', nameKey: 'long' },
        description,
        version: 9,
      })),
    );
    await gateway.models.companies.insertMany(
      Array.from({ length: 100 }, (_, index) => ({
        ...company,
        _id: new mongoose.Types.ObjectId(),
        ...{ publicId: `long-${index}`, name: `Long ${index}`, nameKey: `long ${index}` },
        ...{ domainUrl: null, domainKey: undefined, description: '漢'.repeat(5_000) },
      })),
    );
    await gateway.models.history.insertMany(
      [2, 3, 4, 5, 6, 7, 8, 9].map((version) => ({
        _id: `job:${String(_ids[0])}:${version}`,
        record: _ids[0],
        version,
        at: new Date(),
        actor: 'tester',
        transport: 'rest',
        requestId: 'x',
        changes: parts.map((part) => ({ field: `description.${part}`, before: text, after: text })),
      })),
    );
  });

  async function ask(query: string) {
    const { body } = await graphql(gateway, query, {}, { token });
    return { body, bytes: Buffer.byteLength(JSON.stringify(body)) };
  }
  interface Page {
    edges: { cursor?: string; node: { publicId: string } }[];
    pageInfo: { hasNextPage: boolean; endCursor: string | null };
  }

  const lists: Record<string, { fields: string; fragment?: string; perPage: number }> = {
    'fields with aliases': { fields: times(14, texts), perPage: 2 },
    'fields of a fragment that is spread under several aliases': {
      fields: 'a: description { ...Part } b: description { ...Part }',
      fragment: `fragment Part on JobDescription { ${times(12, 'jobDesc')} }`,
      perPage: 8,
    },
    'postings with aliases': { fields: times(7, 'jobPosting'), perPage: 5 },
  };
  it.each(Object.entries(lists))(
    'has at most 8 MiB: pages of %s end early, and together have every record',
    async (_, { fields, fragment = '', perPage }) => {
      const seen: string[] = [];
      let after: string | null = null;
      for (let hasNextPage = true; hasNextPage;) {
        const list = `jobs(mediaPublicId: "demo-media", filter: { name: "long" }, first: 75, after: ${JSON.stringify(after)})`;
        const { body, bytes } = await ask(`query { list: ${list} ${connection(fields)} } ${fragment}`);
        expect(body.errors).toBeUndefined();
        expect(bytes).toBeLessThan(mostBytes + roomBytes);
        const { edges, pageInfo } = body.data?.list as Page;
        seen.push(...edges.map(({ node }) => node.publicId));
        ({ hasNextPage, endCursor: after } = pageInfo);
        if (hasNextPage) expect(edges.length).toBe(perPage);
      }
      expect(seen).toEqual(publicIds);
    },
  );

  it('counts a field that is selected once, only once', async () => {
    const page = `list: jobs(mediaPublicId: "demo-media", filter: { name: "long" }, first: 5) ${connection(`${texts} ${times(14, 'salary')}`)}`;
    const { body } = await ask(`{ ${page} }`);
    expect((body.data?.list as Page).edges.length).toBe(5);
  });

  it('ends a page of companies early', async () => {
    const fields = times(8, 'content { description }');
    const { body, bytes } = await ask(
      `{ list: companies(mediaPublicId: "demo-media", filter: { name: "long" }, first: 100) ${connection(fields)} }`,
    );
    const { edges, pageInfo } = body.data?.list as Page;
    expect(pageInfo).toEqual({ hasNextPage: true, endCursor: expect.any(String) });
    expect(edges.length).toBe(69);
    expect(mostBytes - bytes).toBeLessThan(150_000);
  });

  it('ends a page of history early', async () => {
    const { body, bytes } = await ask(
      `{ job(publicId: "long-00") { history(first: 8) { edges { cursor node { ${times(7, 'changes { before after }')} } } pageInfo { hasNextPage endCursor } } } }`,
    );
    const { history } = body.data?.job as { history: Page };
    expect(history.edges.length).toBe(2);
    expect(history.pageInfo).toEqual({ hasNextPage: true, endCursor: history.edges[1]?.cursor });
    expect(bytes).toBeLessThan(mostBytes + roomBytes);
  });

  const run = (text: string) =>
    postBody(gateway.url, { documentId: sha256(text) }, { authorization: `Bearer ${token}` });

  it('refuses a single record, or a page whose first record alone exceeds the limit', async () => {
    for (const text of [tooMuch.job, tooMuch.page]) {
      const { body } = await run(text);
      expect(body.errors).toMatchObject([{ extensions: { error: 'payload-too-large' } }]);
    }
  });

  it('answers an update that ran, and refuses the next one before it runs', async () => {
    const { body } = await run(tooMuch.updates);
    expect(body).toMatchObject({
      data: { one: { job: { a59: expect.anything() } }, other: null },
      errors: [{ path: ['other'], extensions: { error: 'payload-too-large' } }],
    });
    const stored = await gateway.models.jobs.find({ publicId: { $in: publicIds.slice(0, 2) } }).lean();
    expect(stored.map(({ salary }) => salary)).toEqual(['one', expect.not.stringMatching('other')]);
  });
});
