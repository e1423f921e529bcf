import { beforeAll, describe, expect, it } from '@jest/globals';
import mongoose from 'mongoose';
import { join } from 'node:path';
import { demoData } from '../../src/demo/demo-data.js';
import { ownGateway } from '../support/own-gateway.js';
import { graphql } from '../support/requests.js';
import { postBody, sha256, writeTrusted } from '../support/trusted.js';
import { ownFolder } from '../support/own-folder.js';

const mostBytes = 2 ** 23;

const times = (count: number, text: string) =>
  Array.from({ length: count }, (_, index) => `a${index}: ${text}`).join(' ');
const texts = 'description { companyDesc jobDesc profileDesc benefitDesc processDesc }';
const connection = (below: string) =>
  `{ edges { node { publicId ${below} } } pageInfo { hasNextPage endCursor } }`;

/** A trusted document may have any number of aliases. */
const updates = `mutation { updateJob(input: { jobPublicId: "long-00", salary: "one" }) { job { ${times(60, texts)} } } }`;
const folder = ownFolder();
const documents = join(folder, 'documents.json');
await writeTrusted(documents, [updates]);

describe('a reply', () => {
  const gateway = ownGateway({ ARCHIVER: 'off', TRUSTED_DOCUMENTS: documents });
  const publicIds = Array.from({ length: 12 }, (_, index) => `long-${String(index).padStart(2, '0')}`);
  let token: string;

  beforeAll(async () => {
    token = await gateway.token();
    const [job] = demoData(new Date()).jobs;
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

  const list = (first: number, fields: string) =>
    `{ list: jobs(mediaPublicId: "demo-media", filter: { name: "long" }, first: ${first}) ${connection(fields)} }`;

  it.each([
    ['texts', list(12, times(14, texts))],
    ['postings', list(12, times(7, 'jobPosting'))],
    [
      'changes',
      `{ job(publicId: "long-00") { history(first: 8) { edges { node { ${times(14, 'changes { before after }')} } } } } }`,
    ],
  ])('of more than 8 MiB is payload-too-large: aliases of %s', async (_, query) => {
    const { body } = await ask(query);
    expect(body.errors).toMatchObject([{ extensions: { error: 'payload-too-large', status: 413 } }]);
    expect(body.errors?.[0]?.message).toContain('8 MiB');
    expect(body.data).toBeNull();
  });

  it('of less than 8 MiB is answered, though its texts could be longer in JSON', async () => {
    const { body, bytes } = await ask(list(5, times(3, texts)));
    expect((body.data?.list as Page).edges.length).toBe(5);
    expect(bytes).toBeGreaterThan(mostBytes / 6);
  });

  it('of updates that is too large is refused after they have run', async () => {
    const { body } = await postBody(
      gateway.url,
      { documentId: sha256(updates) },
      { authorization: `Bearer ${token}` },
    );
    expect(body).toMatchObject({ data: null, errors: [{ extensions: { error: 'payload-too-large' } }] });
    const stored = await gateway.models.jobs.findOne({ publicId: 'long-00' }).lean();
    expect(stored?.salary).toBe('one');
  });
});
