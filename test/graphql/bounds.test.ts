import { beforeAll, describe, expect, it } from '@jest/globals';
import { getIntrospectionQuery } from 'graphql';
import mongoose from 'mongoose';
import { join } from 'node:path';
import { demoData } from '../../src/demo/demo-data.js';
import { cpuMsOf, leastCpuMsOf } from '../support/prompt.js';
import { graphql } from '../support/requests.js';
import { ownGateway } from '../support/own-gateway.js';
import { postBody, sha256, writeTrusted } from '../support/trusted.js';
import { ownFolder } from '../support/own-folder.js';

const texts = 'description { companyDesc jobDesc profileDesc benefitDesc processDesc }';
const trusted = `query Trusted { list: jobs(mediaPublicId: "demo-media", filter: { name: "long" }, first: 100) {
  edges { node { publicId ${texts} } } pageInfo { hasNextPage endCursor } } }`;
const documents = join(ownFolder(), 'documents.json');
await writeTrusted(documents, [trusted]);
const gateway = ownGateway({ TRUSTED_DOCUMENTS: documents });
let token: string;
beforeAll(async () => void (token = await gateway.token()));

const nested = (depth: number): string => (depth === 1 ? '__typename' : `viewer { ${nested(depth - 1)} }`);

const aliases = (count: number): string =>
  Array.from({ length: count }, (_, index) => `a${index}: __typename`).join(' ');

/** Fragments that each spread the next twice, and so expand to 2^levels fields. */
function fanOut(
  levels: number,
  { on, field, prefix }: { on: string; field: string; prefix: string },
): string {
  const fragments = Array.from(
    { length: levels },
    (_, level) => `fragment ${prefix}${level} on ${on} { ...${prefix}${level + 1} ...${prefix}${level + 1} }`,
  );
  return `${fragments.join('\n')}\nfragment ${prefix}${levels} on ${on} { ${field} }`;
}

async function refusalOf(query: string, at = gateway): Promise<string | undefined> {
  const { status, body } = await graphql(at, query, {}, { token: await at.token() });
  if (status === 200) return undefined;
  expect(status).toBe(400);
  expect(body).toEqual({
    errors: [
      {
        message: expect.any(String),
        extensions: {
          code: 'BAD_USER_INPUT',
          error: 'validation-failed',
          status: 400,
          requestId: expect.any(String),
        },
      },
    ],
    // A refusal spends a unit (Contract 8.2.4).
    extensions: { rateLimit: expect.any(Object) },
  });
  return body.errors?.[0]?.message;
}

describe('a GraphQL document', () => {
  it('may nest fields 10 deep but not 11, counting fragments (Contract 8.3.1)', async () => {
    // GraphQL itself refuses even this document: a viewer has no field `viewer`.
    expect(await refusalWords(`{ ${nested(10)} }`)).not.toMatch(/asks for too much/);
    expect(await refusalOf(`{ ${nested(11)} }`)).toBe(
      'The document asks for too much: its fields nest deeper than 10.',
    );
    const split = `{ viewer { ...A } } fragment A on Viewer { ... on Viewer { ${nested(10)} } }`;
    expect(await refusalOf(split)).toMatch(/nest deeper than 10/);
  });

  it('may use the deep introspection of tools (Contract 8.3.1)', async () => {
    const { status, body } = await graphql(gateway, getIntrospectionQuery());
    expect(status).toBe(200);
    expect(body.errors).toBeUndefined();
  });

  it('may have 15 aliases but not 16 (Contract 8.3.1)', async () => {
    expect(await refusalOf(`{ ${aliases(15)} }`)).toBeUndefined();
    expect(await refusalOf(`{ ${aliases(16)} }`)).toMatch(/more than 15 aliases/);
    expect(await refusalOf(`{ ...A ...B } ${halves(8)}`)).toMatch(/more than 15 aliases/);
  });

  it('may have 1000 tokens but not 1001 (Contract 8.3.1)', async () => {
    const fields = (count: number) => `{ ${'__typename '.repeat(count)} }`;
    expect(await refusalWords(fields(998))).not.toMatch(/tokens/);
    const { status, body } = await graphql(gateway, fields(999));
    expect(status).toBe(400);
    expect(body.errors?.[0]).toMatchObject({
      message: expect.stringMatching(/1000 tokens/),
      extensions: { code: 'GRAPHQL_PARSE_FAILED', error: 'body-format-error', status: 400 },
    });
  });

  it('is bound in the complexity of the operation that runs, not of its others (Contract 8.2.1)', async () => {
    const query = `query Cheap { __typename } query Costly { jobs(mediaPublicId: "a", first: 100) { edges { node {
      history(first: 100) { edges { node { at actor transport } } } } } } }`;
    const run = (operationName: string) => postBody(gateway.url, { query, operationName });
    expect((await run('Cheap')).body.data).toEqual({ __typename: 'Query' });
    const { status, body } = await run('Costly');
    expect([status, body.errors?.[0]?.message]).toEqual([400, expect.stringMatching(/its complexity is/)]);
  });

  it('whose fragments expand to 2^30 fields is refused within 50 ms of processor time (Contract 8.2.1)', async () => {
    const attack = (prefix: string) =>
      `{ ...${prefix}0 } ${fanOut(30, { on: 'Query', field: 'viewer { subject }', prefix })}`;
    for (const prefix of ['W', 'X', 'Y']) await refusalOf(attack(prefix));
    const times: number[] = [];
    for (const prefix of ['A', 'B', 'C'])
      times.push(
        await cpuMsOf(async () => expect(await refusalOf(attack(prefix))).toMatch(/more than 5000 fields/)),
      );
    expect(Math.min(...times)).toBeLessThan(50);
  });

  it.each([
    [
      'introspection',
      /more than 5000 fields/,
      { on: '__Schema', field: 'types { name }', within: '__schema' },
    ],
    [
      'a type that does not exist',
      /Unknown type/,
      { on: 'Nothing', field: 'none { none }', within: 'viewer' },
    ],
    ['a field that does not exist', /Cannot query field/, { on: 'Viewer', field: 'none', within: 'none' }],
  ])(
    'whose fragments multiply fields within %s is refused within 50 ms of processor time (Contract 8.2.7)',
    async (_name, words, { on, field, within }) => {
      const attack = (prefix: string) =>
        `{ ${within} { ...${prefix}0 } } ${fanOut(30, { on, field, prefix })}`;
      await refusalWords(attack('I'));
      const prefixes = ['J', 'K', 'L'];
      const ms = await leastCpuMsOf(async () =>
        expect(await refusalWords(attack(prefixes.pop()!))).toMatch(words),
      );
      expect(ms).toBeLessThan(50);
    },
  );

  it('whose fragments form a cycle is refused within 50 ms of processor time', async () => {
    const ring = (size: number) =>
      `{ ...R0 } ${Array.from({ length: size }, (_, index) => `fragment R${index} on Query { viewer { subject } ...R${(index + 1) % size} ...R${(index + 2) % size} }`).join(' ')}`;
    // The first ones compile code.
    for (const size of [50, 51, 52, 53, 54]) await graphql(gateway, ring(size));
    const ms = await leastCpuMsOf(async () => expect((await graphql(gateway, ring(60))).status).toBe(400));
    expect(ms).toBeLessThan(50);
  });

  it.each([
    ['that repeats an object field', `{ ${'viewer { subject } '.repeat(190)} }`],
    ['that repeats a leaf field', `{ viewer { ${'subject '.repeat(990)} } }`],
    ['that repeats a directive', `{ viewer { subject ${'@include(if: true) '.repeat(140)} } }`],
    ['with many directives', `{ ${'... @include(if: true) { __typename } '.repeat(90)} }`],
    [
      'whose fragments all select the same fields',
      `{ ${Array.from({ length: 40 }, (_, index) => `...S${index}`).join(' ')} } ${Array.from(
        { length: 40 },
        (_, index) => `fragment S${index} on Query { viewer { ${'subject '.repeat(10)} } }`,
      ).join(' ')}`,
    ],
  ])('%s within the token limit costs less than 300 ms of processor time', async (_name, query) => {
    await graphql(gateway, query, {}, { token });
    // The space makes a new document, which is in no cache.
    const another = ` ${query}`;
    const ms = await cpuMsOf(() => graphql(gateway, another, {}, { token }));
    expect(ms).toBeLessThan(300);
  });
});

async function refusalWords(query: string): Promise<string> {
  const { body } = await graphql(gateway, query, {}, { token });
  return (body.errors ?? []).map(({ message }) => message).join('\n');
}

const halves = (each: number): string =>
  ['A', 'B']
    .map(
      (name) =>
        `fragment ${name} on Query { ${Array.from({ length: each }, (_, index) => `${name}${index}: __typename`).join(' ')} }`,
    )
    .join(' ');

describe('the records of an answer (Contract 4.3.7, 8.2.7)', () => {
  const mostBytes = 2 ** 21;
  /** Allowed in addition to the records. */
  const roomBytes = 2 ** 17;
  const count = 30;
  const publicIds = Array.from({ length: count }, (_, index) => `long-${String(index).padStart(2, '0')}`);

  beforeAll(async () => {
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
        ...{ name: 'long', nameKey: 'long' },
        description,
        changedAt: new Date(),
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
    `jobs(mediaPublicId: "demo-media", filter: { publicIds: $ids }, first: ${first}, after: ${JSON.stringify(after)}) {
    edges { node { publicId ${texts} } } pageInfo { hasNextPage endCursor } }`;

  async function ask(query: string) {
    const declared = query.includes('$ids') ? `query ($ids: [String!]) ${query}` : query;
    const { body } = await graphql(gateway, declared, { ids: publicIds }, { token });
    const bytes = Buffer.byteLength(JSON.stringify(body));
    expect(bytes).toBeLessThan(mostBytes + roomBytes);
    return { body, bytes, data: body.data as Record<string, Connection> };
  }

  it('end a page early if they exceed 2 MiB; the page says where to continue', async () => {
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

  it('end a page of a trusted document early too (Contract 4.7.2)', async () => {
    const { body } = await postBody(
      gateway.url,
      { documentId: sha256(trusted) },
      { authorization: `Bearer ${token}` },
    );
    expect(body).toMatchObject({
      data: { list: { edges: { length: 10 }, pageInfo: { hasNextPage: true } } },
    });
  });

  it('share one limit across all lists: a list past the limit is empty and says where to continue', async () => {
    const { data: first } = await ask(`{ list: ${list(null, 5)} }`);
    const after = first.list?.pageInfo.endCursor ?? null;
    const lists = Array.from({ length: 15 }, (_, index) => `l${index}: ${list(after, 20)}`).join(' ');
    const { data } = await ask(`{ ${lists} }`);
    // The lists run at the same time, so any list can come first.
    const longest = Object.values(data).sort((one, other) => other.edges.length - one.edges.length);
    expect(longest[0]?.edges.length).toBeGreaterThan(5);
    expect(longest.at(-1)).toEqual({ edges: [], pageInfo: { hasNextPage: true, endCursor: after } });
  });

  it('are refused as payload-too-large past the limit if requested one by one', async () => {
    const jobs = publicIds
      .slice(0, 15)
      .map((publicId, index) => `j${index}: job(publicId: "${publicId}") { ${texts} }`);
    const { body } = await ask(`{ ${jobs.join(' ')} }`);
    expect(Object.values(body.data ?? {}).filter((job) => job !== null).length).toBe(10);
    expect(new Set(body.errors?.map(({ extensions }) => extensions.error))).toEqual(
      new Set(['payload-too-large']),
    );
  });
});
