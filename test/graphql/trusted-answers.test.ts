import { beforeAll, describe, expect, it } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ownGateway } from '../support/own-gateway.js';
import { rest } from '../support/requests.js';
import { settle } from '../support/settle.js';
import { sha256, writeTrusted } from '../support/trusted.js';
import { ownFolder } from '../support/own-folder.js';

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
const list = `query ($media: String!, $first: Int, $states: [JobState!], $name: String) {
  jobs(mediaPublicId: $media, first: $first, filter: { states: $states, name: $name }) { edges { cursor node { publicId } } }
}`;
const many = `query (${[...'abcdefg'].map((name) => `$${name}: Int`).join(' ')}) {
  ${[...'abcdefg'].map((name) => `${name}: jobs(mediaPublicId: "demo-media", first: $${name}) { edges { cursor } }`).join(' ')}
}`;
const two = 'query One { viewer { subject } } query Other { viewer { roles } }';

const cases: [string, string, Record<string, unknown>?, object?][] = [
  ...named,
  ['omitted variables', list, { media: 'demo-media' }],
  ['null variables', list, { media: 'demo-media', first: null, states: null, name: null }],
  ['faulty variables', list, { media: 7, first: 'x', states: 'gone', name: {} }],
  [
    'more faulty variables than the answer lists',
    many,
    Object.fromEntries([...'abcdefg'].map((name) => [name, {}])),
  ],
  ['a missing variable', list],
  ['a refused argument', list, { media: 'demo-media', first: 101 }],
  ['a job that does not exist', '{ one: job(publicId: "none") { name } viewer { subject } }'],
  ['fields that the caller may not see', page('publicId managerEmails'), {}, { scope: 'r_jobs' }],
  ['a record that another program has damaged', page('publicId name')],
  ['aliases', page('a: state b: state publicId c: location { x: city } c: location { y: city }')],
  ['fragments', `${page('...A ...A ... on Job { state }')} fragment A on Job { publicId company { name } }`],
  ['the history of each job', page('publicId history(first: 1) { edges { node { at changes { field } } } }')],
  ['@include', `query ($is: Boolean!) ${page('state publicId @include(if: $is)')}`, { is: false }],
  ['names of types', `{ __typename ${page('__typename').slice(1)}`],
  ['the schema itself', '{ __schema { queryType { fields { name args { name defaultValue } } } } }'],
  ['two operations and no operationName', two],
  [
    'null instead of the default of a variable that must not be null',
    'query ($media: String = "demo-media") { jobs(mediaPublicId: $media) { edges { cursor } } }',
    { media: null },
  ],
  [
    'an alias that looks like the path of another field',
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

const file = join(ownFolder(), 'documents.json');
await writeTrusted(
  file,
  cases.map(([, query]) => query),
);
const gateway = ownGateway({
  TRUSTED_DOCUMENTS: file,
  READ_QUOTA: '1000000/1h',
  AUTH_FAILURE_QUOTA: '1000000/1h',
  // The archiving task would archive the demo's expired job between the two answers.
  ARCHIVER: 'off',
});
beforeAll(async () => {
  // Causes an error inside a list.
  await gateway.models.jobs.collection.updateOne({ publicId: 'acme-night-guard' }, { $set: { name: null } });
  // Gives the records some history.
  const json = { media_public_id: 'demo-media', company_public_id: 'acme', salary: '50 000 €' };
  const token = await gateway.token();
  const { status } = await rest(gateway, 'PATCH', `/jobs/${stored.publicId}`, { json }, { token });
  expect(status).toBe(200);
  await settle(gateway);
});

/** The bytes of a reply without the parts that differ at each request: its id and the rest of the quota. */
async function ask(body: object, token: string | undefined): Promise<string> {
  const reply = await fetch(`${gateway.url}/graphql`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify(body),
  });
  const answer = (await reply.json()) as { errors?: { path?: unknown }[] };
  // The order of errors of parallel fields depends on the database, so sort them.
  answer.errors?.sort((one, other) => (JSON.stringify(one.path) < JSON.stringify(other.path) ? -1 : 1));
  return `${reply.status} ${JSON.stringify(answer)}`
    .replace(/"requestId":"[0-9a-f-]{36}"/g, '"requestId":""')
    .replace(/"rateLimit":\{[^}]*\}/, '"rateLimit":{}')
    .replace(/"remaining":\d+,"resetSeconds":\d+/g, '');
}

/**
 * Sends a document by its hash and as text. An extra blank makes the text untrusted, so that it is parsed and
 * validated.
 */
async function expectAlike(query: string, variables: object, token: string | undefined): Promise<string> {
  const byText = await ask({ query: `${query} `, variables }, token);
  expect(await ask({ documentId: sha256(query), variables }, token)).toBe(byText);
  return byText;
}

describe('a trusted document gets the same bytes as when sent as text (Contract 4.7.2)', () => {
  it.each(cases)('%s', async (_, query, variables = {}, claims = {}) => {
    await expectAlike(query, variables, await gateway.token(claims));
  });
});
