import { Readable } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import { ownGateway } from '../support/own-gateway.js';

const gateway = ownGateway();

const part = (disposition: string, text: string) =>
  `--x\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n${text}\r\n`;
const operations = part('name="operations"', '{"query":"{ __typename }"}');

describe('a multipart body over GraphQL that breaks off or is no multipart', () => {
  // Its reader reports some of these twice, and what nobody hears the second time would end the process.
  it.each([
    ['ends within a header', '--x\r\nContent-Disposition: form-data; na'],
    ['has a header that is none', '--x\r\nnonsense\r\n\r\nx\r\n--x--\r\n'],
    ['has a header that is none, and breaks off', `${operations}--x\r\n\u0000: \r\n\r\nx`],
    ['has a part without a name', `--x\r\nContent-Type: text/plain\r\n\r\nx\r\n--x--\r\n`],
    ['has operations that are no JSON, and breaks off', part('name="operations"', '{').slice(0, -2)],
    ['has operations that are no JSON, and more', `${part('name="operations"', '{')}${operations}`],
    [
      'ends within a file',
      `${part('name="operations"', '{"query":"{ __typename }","variables":{"a":null}}')}${part('name="map"', '{"0":["variables.a"]}')}--x\r\nContent-Disposition: form-data; name="0"; filename="a"\r\n\r\nhalf`,
    ],
    ['has a file before the map', `${part('name="0"; filename="a"', 'x')}${operations}`],
    ['is empty', ''],
  ])('%s is refused, and the gateway lives on (Contract 4.3.5)', async (_what, body) => {
    const response = await fetch(`${gateway.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'multipart/form-data; boundary=x', 'apollo-require-preflight': 'yes' },
      body,
    });
    expect(response.status).toBeLessThan(500);
    await response.text();
    expect((await fetch(`${gateway.url}/health`)).status).toBe(200);
  });
});

it.each([
  [
    'no JSON',
    part('name="operations"', '{"query":"{ __typename }",}'),
    'it is not JSON from line 1, character 27 on',
  ],
  [
    'a map that is no JSON',
    `${operations}${part('name="map"', '{"0":}')}`,
    'it is not JSON from line 1, character 6 on',
  ],
  [
    'too much',
    part('name="operations"', `{"variables":[${'1,'.repeat(1_000)}1]}`),
    'it has more than 1000 fields',
  ],
  ['too many parts', operations + part('name="a"', 'x').repeat(25), 'it has more than 20 parts'],
  [
    'bytes that are no UTF-8',
    Buffer.from(part('name="operations"', '{"query":"é"}'), 'latin1'),
    'its operations are not UTF-8',
  ],
])(
  'a multipart body over GraphQL with %s is told what is wrong (Contract 7.1.5)',
  async (_what, body, reason) => {
    const response = await fetch(`${gateway.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'multipart/form-data; boundary=x', 'apollo-require-preflight': 'yes' },
      body: Buffer.concat([Buffer.from(body), Buffer.from('--x--\r\n')]),
    });
    const { errors } = (await response.json()) as { errors: { message: string }[] };
    expect([response.status, errors[0]?.message]).toEqual([
      400,
      `The body of the request cannot be read: ${reason}.`,
    ]);
  },
);

it.each([
  ['bytes before its first part', ''],
  ['another part', `--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n`],
  ['a part that nobody reads', `--x\r\nContent-Disposition: attachment\r\n\r\n`],
])(
  'a multipart body over GraphQL with %s of more than a body may have, before its operations, is refused (Contract 8.6.1)',
  async (_what, start) => {
    const filler = Buffer.alloc(2 ** 21, 'a');
    const response = await fetch(`${gateway.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'multipart/form-data; boundary=x', 'apollo-require-preflight': 'yes' },
      body: Readable.toWeb(
        Readable.from([start, filler, `\r\n${operations}`, `${part('name="map"', '{}')}--x--\r\n`]),
      ) as ReadableStream,
      duplex: 'half',
    });
    const { errors } = (await response.json()) as { errors?: { message: string }[] };
    expect([response.status, errors?.[0]?.message]).toEqual([
      413,
      'The request or its answer is too large: operations must have at most 1048576 bytes.',
    ]);
  },
);

it('a multipart body over GraphQL may have operations of nearly a MiB (Contract 8.6.1)', async () => {
  const query = `{ __typename }${' '.repeat(2 ** 20 - 1_000)}`;
  const response = await fetch(`${gateway.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'multipart/form-data; boundary=x', 'apollo-require-preflight': 'yes' },
    body: `${part('name="operations"', JSON.stringify({ query }))}${part('name="map"', '{}')}--x--\r\n`,
  });
  expect([response.status, await response.json()]).toMatchObject([200, { data: { __typename: 'Query' } }]);
});
