import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startTestGateway, type TestGateway } from '../support/gateway.js';
import { graphql, type GraphQLBody, type Reply, rest } from '../support/requests.js';
import { postBody, sha256, writeTrusted } from '../support/trusted.js';

const stored = { mediaPublicId: 'demo-media', publicId: 'acme-backend-engineer' };
const operations = new URL('../../schema/operations/', import.meta.url);
const named = readdirSync(operations)
  .filter((file) => !file.startsWith('update-'))
  .map((file): [string, string, Record<string, unknown>] => {
    const publicId = file.startsWith('compan') ? 'acme' : stored.publicId;
    const variables = { ...stored, publicId, kind: 'contract', first: 2 };
    return [file, readFileSync(new URL(file, operations), 'utf8'), variables];
  });

const page = (below: string) => `{ jobs(mediaPublicId: "demo-media") { edges { node { ${below} } } } }`;
const list = `query ($media: String!, $first: Int, $state: JobState, $name: String) {
  jobs(mediaPublicId: $media, first: $first, state: $state, name: $name) { edges { cursor node { publicId } } }
}`;
const many = `query (${[...'abcdefg'].map((name) => `$${name}: Int`).join(' ')}) {
  ${[...'abcdefg'].map((name) => `${name}: jobs(mediaPublicId: "demo-media", first: $${name}) { edges { cursor } }`).join(' ')}
}`;
const two = 'query One { viewer { subject } } query Other { viewer { roles } }';

const cases: [string, string, Record<string, unknown>?, object?][] = [
  ...named,
  ['variables that are left out', list, { media: 'demo-media' }],
  ['variables that are null', list, { media: 'demo-media', first: null, state: null, name: null }],
  ['faulty variables', list, { media: 7, first: 'x', state: 'gone', name: {} }],
  ['more faulty variables than are told', many, Object.fromEntries([...'abcdefg'].map((name) => [name, {}]))],
  ['a missing variable', list],
  ['a refused argument', list, { media: 'demo-media', first: 101 }],
  ['a job that is not there', '{ one: job(publicId: "none") { name } viewer { subject } }'],
  ['fields that the caller may not see', page('publicId managerEmails'), {}, { scope: 'r_jobs' }],
  ['a record that something else has damaged', page('publicId name')],
  ['aliases', page('a: state b: state publicId c: location { x: city } c: location { y: city }')],
  ['fragments', `${page('...A ...A ... on Job { state }')} fragment A on Job { publicId company { name } }`],
  ['the history of each', page('publicId history(first: 1) { edges { node { at changes { field } } } }')],
  ['@include', `query ($is: Boolean!) ${page('state publicId @include(if: $is)')}`, { is: false }],
  ['names of types', `{ __typename ${page('__typename').slice(1)}`],
  ['the schema itself', '{ __schema { queryType { fields { name args { name defaultValue } } } } }'],
  ['an operation that is not named', two],
  [
    'null instead of the default of a variable that must not be null',
    'query ($media: String = "demo-media") { jobs(mediaPublicId: $media) { edges { cursor } } }',
    { media: null },
  ],
  [
    'an alias that reads like the path to another field',
    `query ($publicId: String!) {
      history_a: job(publicId: $publicId) { name state }
      a: job(publicId: $publicId) { history(first: 1) { edges { node { at } } } }
    }`,
    stored,
  ],
  [
    'a variable that must not be null and has a default',
    'query ($f: Int! = 2) { jobs(mediaPublicId: "demo-media", first: $f) { edges { node { publicId } } } }',
  ],
  ...['constructor', 'toString', 'valueOf', '__proto__'].map((name): [string, string] => [
    `a variable named ${name}`,
    `query ($${name}: Int) { jobs(mediaPublicId: "demo-media", first: $${name}) { edges { node { publicId } } } }`,
  ]),
  ['an alias that JavaScript takes for a prototype', `{ viewer { __proto__: subject roles } }`],
];

describe('a trusted document is answered as its text (Contract 8.4.9)', () => {
  let folder: string;
  let gateway: TestGateway;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'gateway-trusted-'));
    const file = join(folder, 'documents.json');
    await writeTrusted(
      file,
      cases.map(([, query]) => query),
    );
    gateway = await startTestGateway({ TRUSTED_DOCUMENTS: file, READ_QUOTA: '100000/1h' });
    await gateway.models.jobs.collection.updateOne(
      { publicId: 'acme-night-guard' },
      { $set: { name: null } },
    );
    // So that there are histories.
    const json = { media_public_id: 'demo-media', company_public_id: 'acme', salary: '50 000 €' };
    const token = await gateway.token();
    const { status } = await rest(gateway, 'PATCH', `/jobs/${stored.publicId}`, { json }, { token });
    expect(status).toBe(200);
  });
  afterAll(async () => {
    await gateway.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it.each(cases)('%s', async (_, query, variables = {}, claims = {}) => {
    const token = await gateway.token(claims);
    const body = { documentId: sha256(query), variables };
    const byText = shown(await graphql(gateway, query, variables, { token }));
    expect(shown(await postBody(gateway.url, body, { authorization: `Bearer ${token}` }))).toBe(byText);
  });
});

/** What of a reply does not depend on which request it answers. Each spends a unit, which the viewer is told. */
const shown = ({ status, body: { data, errors } }: Reply<GraphQLBody>): string =>
  JSON.stringify([
    status,
    data,
    errors?.map((error) => ({ ...error, extensions: { ...error.extensions, requestId: undefined } })),
  ]).replace(/"remaining":\d+,"resetSeconds":\d+/g, '');
