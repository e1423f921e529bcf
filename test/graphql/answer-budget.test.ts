import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import mongoose from 'mongoose';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { demoData } from '../../src/demo/demo-data.js';
import { ownGateway } from '../support/own-gateway.js';
import { leastCpuMsOf } from '../support/prompt.js';
import { graphql } from '../support/requests.js';
import { postBody, sha256 } from '../support/trusted.js';

let token: string;

const mostBytes = 2 ** 21;
/** What an answer has beside its records. */
const roomBytes = 2 ** 17;
const count = 60;
const publicIds = Array.from({ length: count }, (_, index) => `long-${String(index).padStart(2, '0')}`);

const texts = 'description { companyDesc jobDesc profileDesc benefitDesc processDesc }';
const trusted = `query Trusted { list: jobs(mediaPublicId: "demo-media", name: "long", first: 100) {
  edges { node { publicId ${texts} } } pageInfo { hasNextPage endCursor } } }`;
const folder = mkdtempSync(join(tmpdir(), 'gateway-trusted-'));
writeFileSync(join(folder, 'documents.json'), JSON.stringify({ [sha256(trusted)]: trusted }));
afterAll(() => rmSync(folder, { recursive: true }));

const gateway = ownGateway({ TRUSTED_DOCUMENTS: join(folder, 'documents.json') });
beforeAll(async () => {
  token = await gateway.token();
  const [pattern] = demoData(new Date()).jobs;
  const text = `<p>${'é'.repeat(19_990)}</p>`;
  const description = Object.fromEntries(
    ['companyDesc', 'jobDesc', 'profileDesc', 'benefitDesc', 'processDesc'].map((part) => [part, text]),
  );
  await gateway.models.jobs.insertMany(
    publicIds.map((publicId) => ({
      ...pattern,
      _id: new mongoose.Types.ObjectId(),
      publicId,
      name: 'long',
      description,
      version: 41,
    })),
  );
  const [job] = await gateway.models.jobs.find({ publicId: 'long-00' }).lean();
  await gateway.models.history.insertMany(
    Array.from({ length: 40 }, (_, index) => ({
      _id: `job:${String(job?._id)}:${index + 2}`,
      record: job?._id,
      version: index + 2,
      at: new Date(),
      actor: 'tester',
      transport: 'rest',
      requestId: 'x',
      changes: [{ field: 'description.jobDesc', before: text, after: text }],
    })),
  );
});

interface Connection {
  edges: { node: { publicId: string } }[];
  pageInfo: { hasNextPage: boolean; endCursor: string | null };
}

const list = (after: string | null, first = 100) =>
  `jobs(mediaPublicId: "demo-media", name: "long", first: ${first}, after: ${JSON.stringify(after)}) {
    edges { node { publicId ${texts} } } pageInfo { hasNextPage endCursor } }`;

async function ask(query: string) {
  const { body } = await graphql(gateway, query, {}, { token });
  const bytes = Buffer.byteLength(JSON.stringify(body));
  expect(bytes).toBeLessThan(mostBytes + roomBytes);
  return { body, bytes, data: body.data as Record<string, Connection> };
}

describe('the records of an answer (Contract 8.4.8)', () => {
  it('end a page early at 2 MiB, which says that there is more and where it goes on', async () => {
    const seen: string[] = [];
    let pages = 0;
    let after: string | null = null;
    for (let hasNextPage = true; hasNextPage; pages += 1) {
      const { data } = await ask(`{ list: ${list(after)} }`);
      const { edges, pageInfo } = data.list as Connection;
      expect(edges.length).toBeGreaterThan(0);
      seen.push(...edges.map(({ node }) => node.publicId));
      ({ hasNextPage, endCursor: after } = pageInfo);
    }
    expect(seen).toEqual(publicIds);
    expect(pages).toBe(Math.ceil((count * 202_000) / mostBytes));
  });

  it('end a page of a trusted document early, too (Contract 8.4.9)', async () => {
    const { body } = await postBody(
      gateway.url,
      { documentId: sha256(trusted) },
      { authorization: `Bearer ${token}` },
    );
    expect(body).toMatchObject({
      data: { list: { edges: { length: 10 }, pageInfo: { hasNextPage: true } } },
    });
  });

  it('share the bytes of their document, however many lists it has: those past them are empty and go on where they began', async () => {
    const { data: first } = await ask(`{ list: ${list(null, 5)} }`);
    const after = first.list?.pageInfo.endCursor ?? null;
    const lists = Array.from({ length: 15 }, (_, index) => `l${index}: ${list(after, 20)}`).join(' ');
    const { data } = await ask(`{ ${lists} }`);
    // Which comes first, the quota decides: they spend of it at the same time.
    const longest = Object.values(data).sort((one, other) => other.edges.length - one.edges.length);
    expect(longest[0]?.edges.length).toBeGreaterThan(5);
    expect(longest.at(-1)).toEqual({ edges: [], pageInfo: { hasNextPage: true, endCursor: after } });
  });

  it('take less than 400 ms of processor time of a whole process, store and client among them', async () => {
    const query = `{ list: ${list(null)} }`;
    await ask(query);
    expect(await leastCpuMsOf(() => ask(query))).toBeLessThan(400);
  });

  it('are refused as payload-too-large where they are asked for one by one', async () => {
    const jobs = publicIds
      .slice(0, 15)
      .map((publicId, index) => `j${index}: job(publicId: "${publicId}") { ${texts} }`);
    const { body } = await ask(`{ ${jobs.join(' ')} }`);
    expect(Object.values(body.data ?? {}).filter((job) => job !== null).length).toBe(10);
    expect(new Set(body.errors?.map(({ extensions }) => extensions.error))).toEqual(
      new Set(['payload-too-large']),
    );
  });

  it('hold what updates and replays answer: those that begin past them are refused, and change nothing', async () => {
    const update = (name: string, key: string) => `${name}: updateJob(idempotencyKey: "${key}", input: {
      mediaPublicId: "demo-media", companyPublicId: "acme", jobPublicId: "long-01", salary: "${key}" }) { job { ${texts} } }`;
    await ask(`mutation { ${update('first', 'kept')} }`);
    const replays = Array.from({ length: 11 }, (_, index) => update(`r${index}`, 'kept'));
    const { body } = await ask(`mutation { ${replays.join(' ')} ${update('late', 'never')} }`);
    expect(body.errors?.map(({ path, extensions }) => [path?.[0], extensions.error])).toEqual([
      ['late', 'payload-too-large'],
    ]);
    expect(await gateway.models.jobs.findOne({ publicId: 'long-01' }).lean()).toMatchObject({
      salary: 'kept',
    });
  });

  it('end the page of a history, too, newest first and without a gap', async () => {
    const versions: number[] = [];
    let after: string | null = null;
    for (let hasNextPage = true; hasNextPage;) {
      const query = `{ job(publicId: "long-00") { history(first: 100, after: ${JSON.stringify(after)}) {
        edges { cursor node { changes { field before after } } } pageInfo { hasNextPage endCursor } } } }`;
      const { data } = await ask(query);
      const { edges, pageInfo } = (
        data.job as unknown as {
          history: { edges: { cursor: string }[]; pageInfo: Connection['pageInfo'] };
        }
      ).history;
      expect(edges.length).toBeGreaterThan(0);
      versions.push(...edges.map(({ cursor }) => Number(Buffer.from(cursor, 'base64url'))));
      ({ hasNextPage, endCursor: after } = pageInfo);
    }
    expect(versions).toEqual(Array.from({ length: 40 }, (_, index) => 41 - index));
  });

  it('may be any number of short ones', async () => {
    const { data } = await ask(
      '{ list: jobs(mediaPublicId: "demo-media", first: 100, name: "e") { edges { node { publicId } } pageInfo { hasNextPage endCursor } } }',
    );
    expect(data.list?.pageInfo.hasNextPage).toBe(false);
  });

  it('hold of the offices of a company those of its jobs alone, and not all of them for each job', async () => {
    const [pattern] = demoData(new Date()).jobs;
    const { ObjectId } = mongoose.Types;
    const offices = Array.from({ length: 1_000 }, (_, index) => ({
      _id: new ObjectId(),
      publicId: `office-${index}`,
      name: { en: `Office ${index}`, fr: `Bureau ${index}` },
    }));
    await gateway.models.companies.updateOne({ publicId: 'globex' }, { offices });
    const taken = [...offices.slice(0, 98).map(({ _id }) => _id), new ObjectId(), null];
    await gateway.models.jobs.insertMany(
      taken.map((office, index) => ({
        ...pattern,
        _id: new ObjectId(),
        company: 'globex',
        publicId: `wide-${String(index).padStart(2, '0')}`,
        name: 'wide',
        office,
      })),
    );
    const { data } = await ask(
      '{ list: jobs(mediaPublicId: "demo-media", first: 100, name: "wide") { edges { node { publicId office { publicId } } } pageInfo { hasNextPage endCursor } } }',
    );
    const found = data.list?.edges.map(({ node }) => (node as { office?: { publicId: string } }).office);
    expect(found).toEqual([...offices.slice(0, 98).map(({ publicId }) => ({ publicId })), null, null]);
  });
});
