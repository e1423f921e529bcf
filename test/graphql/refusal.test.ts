import { beforeAll, describe, expect, it } from '@jest/globals';
import { serverAudits } from 'graphql-http';
import {
  end,
  multipart,
  ofJob as named,
  operations,
  part,
  updateJob as update,
} from '../contract/refusals/requests.js';
import { ownGateway } from '../support/own-gateway.js';
import { graphql, rest } from '../support/requests.js';
import { updateJob } from '../support/updates.js';

const gateway = ownGateway({ AUTH_FAILURE_QUOTA: '1000000/1s' });
let token: string;
beforeAll(async () => void (token = await gateway.token()));

describe('the Accept of a GraphQL request', () => {
  it.each([
    ...['text/html', 'application/json;version=1', 'application/json; charset=iso-8859-1'],
    ...['application/json;q=0', 'application/jsonl', 'application/json-patch+json', ''],
  ])('never leads to a refusal: %p', async (accept) => {
    const options = { token, headers: { accept } };
    const salary = `by ${accept}`.slice(0, 30).trim();
    const overGraphQL = await graphql(gateway, update, { input: { ...named, salary } }, options);
    expect([overGraphQL.status, overGraphQL.headers.get('content-type'), overGraphQL.body.data]).toEqual([
      200,
      'application/json; charset=utf-8',
      { updateJob: { job: { salary } } },
    ]);
    expect((await updateJob(gateway, { salary }, options)).status).toBe(200);
  });

  it.each([
    ['application/json', 'application/json'],
    ['application/graphql-response+json;charset=utf-8', 'application/graphql-response+json'],
  ])('decides the media type of a reply: %s', async (accept, type) => {
    for (const query of ['{ __typename }', '{']) {
      const { headers } = await graphql(gateway, query, {}, { headers: { accept } });
      expect(headers.get('content-type')).toBe(`${type}; charset=utf-8`);
    }
  });
});

it('a multipart body over GraphQL may have operations of nearly 1 MiB (Contract 8.3.2)', async () => {
  const query = `{ __typename }${' '.repeat(2 ** 20 - 1_000)}`;
  const { method, path, headers, body } = multipart(
    operations(JSON.stringify({ query })) + part('name="map"', '{}') + end,
  );
  const response = await fetch(gateway.url + path, { method, headers, body: body as string });
  expect([response.status, await response.json()]).toMatchObject([200, { data: { __typename: 'Query' } }]);
});

const long = 'x'.repeat(300_000);
const unknown = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, index]));

describe('a message repeats at most a few dozen characters of the request', () => {
  it.each<[string, string, Record<string, unknown>]>([
    ['a long text and many unknown fields', update, { input: { ...named, ...unknown(60), salary: long } }],
    ['a long name of an input field', update, { input: { ...named, [long]: 1 } }],
    ['a long name with quotation marks', update, { input: { ...named, ['a" "'.repeat(50_000)]: 1 } }],
    [
      'a list where a text belongs',
      update,
      { input: { ...named, salary: Array(900).fill(long.slice(0, 300)) } },
    ],
    ['an object where a text belongs', update, { input: { ...named, salary: unknown(900) } }],
    ['a long enum value', update, { input: { ...named, state: long } }],
    ['a literal', `{ jobs(mediaPublicId: "a", first: "${long}") { edges { cursor } } }`, {}],
    ['a block string', `{ jobs(mediaPublicId: "a", first: """${'a\n'.repeat(90_000)}""") { pageInfo } }`, {}],
    ['a number', `{ job(publicId: ${'9'.repeat(300_000)}) { name } }`, {}],
    ['a list literal', `{ job(publicId: [${'12345 '.repeat(900)}]) { name } }`, {}],
    ['a long name of a field', `{ ${long} }`, {}],
    ['a long name of a variable', `query ($${long}: Int) { __typename }`, {}],
    ['a text that does not end', `{ job(publicId: "${long}`, {}],
  ])('%s', async (_name, query, variables) => {
    const { status, body } = await graphql(gateway, query, variables, { token: await gateway.token() });
    expect(status).toBe(400);
    const text = JSON.stringify(body);
    expect(text.length).toBeLessThan(8_192);
    expect(text).not.toMatch(/x{49}|9{49}|(a\\n){25}/);
    for (const { message } of body.errors ?? []) expect(message.length).toBeLessThan(300);
  });

  it('for an unknown operation name', async () => {
    const response = await fetch(`${gateway.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query: 'query A { __typename } query B { __typename }', operationName: long }),
    });
    expect((await response.text()).length).toBeLessThan(400);
  });

  it('names the path and the fault of an invalid value', async () => {
    const input = { ...named, managerEmails: ['a@b.fr', 1], stat: 'draft' };
    const { body } = await graphql(gateway, update, { input }, { token: await gateway.token() });
    expect(body.errors?.map(({ message }) => message)).toEqual([
      'Variable "$input" got an invalid value at "input.managerEmails[1]"; String cannot represent a non string value: 1',
      'Variable "$input" got an invalid value; Field "stat" is not defined by type "UpdateJobInput". Did you mean "state"?',
    ]);
  });

  it('warns of at most twenty unknown fields, and shortens their names (Contract 5.1.4)', async () => {
    const json = { media_public_id: 'demo-media', company_public_id: 'acme', [long]: 1, ...unknown(900) };
    const { body } = await rest(gateway, 'PATCH', '/companies', { json }, { token: await gateway.token() });
    expect(body.warnings).toHaveLength(20);
    expect(body.warnings?.[0]?.field).toBe(`${'x'.repeat(40)}…`);
  });
});

const ofUnusableDocument =
  'An invalid document is 400 for every Accept header (Contract 7.3.2), as in Apollo Server 5.';
const variablesAsText =
  'Apollo Server parses the variables of a GET once, so it refuses JSON within a JSON string; the audit only says MAY.';

/** The audits that we fail on purpose, by id, with the reason. */
const explained: Record<string, string> = {
  '572B': ofUnusableDocument,
  FDE2: ofUnusableDocument,
  '7B9B': ofUnusableDocument,
  '6A70': variablesAsText,
  D6D5: variablesAsText,
  '5A70': 'The CSRF guard of Apollo Server refuses a GET with a form content type; the audit only says MAY.',
};

describe('the audits of GraphQL over HTTP', () => {
  it('report no error, and only explained warnings and notices (Contract 7.3.2)', async () => {
    const audits = serverAudits({ url: () => `${gateway.url}/graphql`, fetchFn: fetch });
    const results = await Promise.all(
      audits.map(async ({ id, name, fn }) => ({ id, name, result: await fn() })),
    );
    expect(results.filter(({ result }) => result.status === 'error').map(({ name }) => name)).toEqual([]);
    const left = results.filter(({ result }) => result.status !== 'ok').map(({ id }) => id);
    expect(left.sort()).toEqual(Object.keys(explained).sort());
  });
});
