import { beforeAll, describe, expect, it } from '@jest/globals';
import { ownGateway } from '../support/own-gateway.js';

const gateway = ownGateway({ NODE_ENV: 'development', AUTH_FAILURE_QUOTA: '1000/1s' });
let token: string;
beforeAll(async () => void (token = await gateway.token()));

const form = 'media_public_id=demo-media&company_public_id=acme';
const job = '/jobs/acme-backend-engineer';
const viewer = `/graphql?query=${encodeURIComponent('{ viewer { subject } }')}`;

async function send(path: string, { body, ...headers }: Record<string, string> = {}): Promise<Headers> {
  const response = await fetch(gateway.url + path, {
    ...(body !== undefined && { method: 'POST', body }),
    headers: {
      authorization: `Bearer ${token}`,
      ...(body !== undefined && { 'content-type': 'application/x-www-form-urlencoded' }),
      ...(path.startsWith('/graphql') && { 'apollo-require-preflight': '1' }),
      ...headers,
    },
  });
  await response.arrayBuffer();
  return response.headers;
}

describe('a reply to a caller with a token (Contract 8.6.7)', () => {
  it.each([
    ['a record with its ETag', job, { body: form }, 'private, no-cache'],
    ['a record that it reads', job, {}, 'private, no-cache'],
    ['what a dry run would leave', job, { body: form, prefer: 'validate-only' }, 'private, no-store'],
    ['a refusal', job, { body: 'media_public_id=demo-media' }, 'private, no-store'],
    [
      'a body that cannot be read',
      job,
      { body: '%zz', 'content-type': 'application/json' },
      'private, no-store',
    ],
    ['data of GraphQL', viewer, {}, 'private, no-store'],
    ['an error of GraphQL', '/graphql?query={', {}, 'private, no-store'],
    ['a path that is not there', '/nothing', {}, 'private, no-store'],
    ['a method that its path does not take', '/companies', { body: form }, 'private, no-store'],
    ['a refusal of its token', job, { body: form, authorization: 'Bearer x' }, 'private, no-store'],
  ] as [string, string, Record<string, string>, string][])(
    'that is %s may be kept by nobody else',
    async (_, path, sent, expected) => {
      expect((await send(path, sent)).get('cache-control')).toBe(expected);
    },
  );

  it.each(['/health', '/openapi.json'])('is not what %s gives to everybody', async (path) => {
    expect((await send(path)).get('cache-control')).toBeNull();
  });
});

describe('what /graphql answers (Contract 8.6.7)', () => {
  it.each([viewer, '/graphql?query={', '/graphql'])('varies by Accept: %s', async (path) => {
    expect((await send(path)).get('vary')).toMatch(/\baccept\b(?!-)/i);
    expect((await send(path, { accept: 'text/html' })).get('vary')).toMatch(/\baccept\b(?!-)/i);
    const refused = await fetch(gateway.url + path, { method: 'DELETE' });
    expect([refused.status, refused.headers.get('vary')]).toEqual([
      405,
      expect.stringMatching(/\baccept\b(?!-)/i),
    ]);
  });
});
