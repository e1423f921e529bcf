import { describe, expect, it } from '@jest/globals';
import { ownGateway } from '../support/own-gateway.js';
import { graphql, rest } from '../support/requests.js';

const gateway = ownGateway({ AUTH_FAILURE_QUOTA: '1000000/1s' });

const update = 'mutation ($input: UpdateJobInput!) { updateJob(input: $input) { job { name } } }';
const long = 'x'.repeat(300_000);
const named = { mediaPublicId: 'demo-media', companyPublicId: 'acme', jobPublicId: 'acme-backend-engineer' };
const unknown = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, index]));

describe('no message repeats more than a few dozen characters of what a caller sent (Contract 8.6.8)', () => {
  it.each<[string, string, Record<string, unknown>]>([
    ['a long text beside unknown fields', update, { input: { ...named, ...unknown(60), salary: long } }],
    ['a long name of a field of the input', update, { input: { ...named, [long]: 1 } }],
    ['a long name with quotation marks', update, { input: { ...named, ['a" "'.repeat(50_000)]: 1 } }],
    ['a list for a text', update, { input: { ...named, salary: Array(900).fill(long.slice(0, 300)) } }],
    ['an object for a text', update, { input: { ...named, salary: unknown(900) } }],
    ['a long member of an enum', update, { input: { ...named, state: long } }],
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

  it('the name of an operation that there is none of', async () => {
    const response = await fetch(`${gateway.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query: 'query A { __typename } query B { __typename }', operationName: long }),
    });
    expect((await response.text()).length).toBeLessThan(400);
  });

  it('tells the place of a wrong value and what is wrong with it', async () => {
    const input = { ...named, managerEmails: ['a@b.fr', 1], stat: 'draft' };
    const { body } = await graphql(gateway, update, { input }, { token: await gateway.token() });
    expect(body.errors?.map(({ message }) => message)).toEqual([
      'Variable "$input" got an invalid value at "input.managerEmails[1]"; String cannot represent a non string value: 1',
      'Variable "$input" got an invalid value; Field "stat" is not defined by type "UpdateJobInput". Did you mean "state"?',
    ]);
  });

  it('warns of the first twenty unknown fields by the beginning of their names (Contract 4.3.4)', async () => {
    const json = { media_public_id: 'demo-media', company_public_id: 'acme', [long]: 1, ...unknown(900) };
    const { body } = await rest(gateway, 'PATCH', '/companies', { json }, { token: await gateway.token() });
    expect(body.warnings).toHaveLength(20);
    expect(body.warnings?.[0]?.field).toBe(`${'x'.repeat(40)}…`);
  });
});

describe('a document', () => {
  it('has names of at most 128 characters (Contract 8.4.7)', async () => {
    const alias = (length: number) => `{ ${'a'.repeat(length)}: __typename }`;
    expect((await graphql(gateway, alias(128))).status).toBe(200);
    const { status, body } = await graphql(gateway, alias(129));
    expect([status, body.errors?.[0]?.message]).toEqual([
      400,
      'The document asks for too much: it has a name of more than 128 characters.',
    ]);
  });
});

describe('a body of more than a thousand values (Contract 4.3.5)', () => {
  const unreadable = { error: 'body-format-error', status: 400 };

  it('of JSON over GraphQL is not read', async () => {
    const { status, body } = await graphql(gateway, update, { input: unknown(1_000) });
    expect([status, body.errors?.[0]?.extensions]).toEqual([400, expect.objectContaining(unreadable)]);
  });

  it.each([
    ['operations', JSON.stringify({ query: update, variables: { input: unknown(1_000) } }), '{"0":[]}', ''],
    ['a map', '{"query":"{__typename}","variables":{}}', `{"0":[${'"variables.a",'.repeat(1_000)}"b"]}`, ''],
    ['parts', '{"query":"{__typename}","variables":{}}', '', '--x\r\n\r\n\r\n'.repeat(2_000)],
  ])('of %s over GraphQL is not read', async (_name, operations, map, more) => {
    const part = (name: string, text: string) =>
      `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${text}\r\n`;
    const response = await fetch(`${gateway.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'multipart/form-data; boundary=x', 'apollo-require-preflight': 'yes' },
      body: `${part('operations', operations)}${more}${part('map', map)}--x--\r\n`,
    });
    expect(await response.json()).toMatchObject({ errors: [{ extensions: unreadable }] });
  });
});
