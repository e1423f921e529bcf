import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ensureDevelopmentKey } from '../../src/tokens/key-development.js';
import { type TestGateway } from '../support/gateway.js';
import { getIntrospectionQuery } from 'graphql';
import { ownGateways } from '../support/own-gateway.js';
import { cpuMsOf, promptMs } from '../support/prompt.js';
import { graphql } from '../support/requests.js';
import { ownFolder } from '../support/own-folder.js';
import { ofJob } from '../support/updates.js';

const folder = ownFolder();
const keyFile = await ensureDevelopmentKey(folder);

const gatewayOf = ownGateways();
let gateway: TestGateway;
let token: string;
beforeAll(async () => {
  gateway = await gatewayOf({ NODE_ENV: 'production', JWT_KEY_FILE: keyFile });
  token = await gateway.token();
});

const updateJob = 'mutation ($input: UpdateJobInput!) { updateJob(input: $input) { job { salary } } }';
const references = 'query ($kind: ReferenceKind!) { references(kind: $kind) { publicId } }';

it('replies of /graphql name Accept in Vary, even if the explorer is off (Contract 4.4.7)', async () => {
  const response = await fetch(`${gateway.url}/graphql?query={__typename}`, {
    headers: { 'apollo-require-preflight': '1' },
  });
  expect([response.status, response.headers.get('vary')]).toEqual([200, 'Accept, Accept-Language']);
});

describe('in production', () => {
  beforeEach(() => gateway.reset());

  it.each<[string, string, Record<string, unknown>]>([
    ['a field', '{ viewr { subject } }', {}],
    ['an argument', '{ references(knd: size) { publicId } }', {}],
    ['a type', 'query ($kind: ReferenceKin!) { references(kind: $kind) { publicId } }', {}],
    ['an enum value', '{ references(kind: siz) { publicId } }', {}],
    ['an enum value in quotes', '{ references(kind: "siz") { publicId } }', {}],
    ['an enum value in a variable', references, { kind: 'siz' }],
    ['an input field', 'mutation { updateJob(input: { salry: "x" }) { job { salary } } }', {}],
    ['an input field in a variable', updateJob, { input: { ...ofJob, salry: 'x' } }],
  ])(
    '%s with nearly the right name is refused without a suggestion (Contract 8.3.1)',
    async (_, query, variables) => {
      for (const by of [undefined, token]) {
        const { status, body } = await graphql(gateway, query, variables, { token: by });
        expect(status).toBe(400);
        expect(body.errors?.length).toBeGreaterThan(0);
        for (const { message, extensions } of body.errors ?? []) {
          expect(extensions.error).toBe('validation-failed');
          expect(message).not.toMatch(/did you mean|"viewer"|"kind"\?|"size"|"salary"/i);
        }
      }
    },
  );

  it('a text that repeats the words of a suggestion is refused in linear time (Contract 8.4.2)', async () => {
    const query = `{ jobs(mediaPublicId: "m", first: "${'Did you mean '.repeat(40_000)}") { edges { cursor } } }`;
    const refuse = async () => expect((await graphql(gateway, query)).status).toBe(400);
    expect(await cpuMsOf(refuse)).toBeLessThan(promptMs);
  });

  it('no API shows the schema (Contract 1.4, 8.3.1)', async () => {
    for (const query of ['{ __schema { queryType { name } } }', '{ __type(name: "Job") { name } }']) {
      const { status, body } = await graphql(gateway, query, {}, { token });
      expect([status, body.data]).toEqual([400, undefined]);
      const get = await fetch(`${gateway.url}/graphql?query=${encodeURIComponent(query)}`, {
        headers: { 'apollo-require-preflight': 'yes' },
      });
      expect(get.status).toBe(400);
    }
    for (const path of ['/explorer', '/schema.graphql'])
      expect((await fetch(gateway.url + path)).status).toBe(404);
  });
});

describe('introspection', () => {
  it.each([
    ['test', undefined, true],
    ['test', 'off', false],
    ['production', undefined, false],
    ['production', 'on', true],
  ])('with NODE_ENV=%s and INTROSPECTION=%s is on: %s (Contract 8.3.1)', async (mode, setting, isOpen) => {
    const asked = await gatewayOf({
      NODE_ENV: mode,
      JWT_KEY_FILE: keyFile,
      ...(setting && { INTROSPECTION: setting }),
    });
    const { body } = await graphql(asked, '{ __schema { queryType { name } } }');
    expect(Boolean(body.data?.__schema)).toBe(isOpen);
    // Apollo Server's own message says how to configure the server.
    const refusal =
      'Introspection is off. The client package contains the schema, as does schema/schema.graphql of the release.';
    expect(body.errors?.[0]?.message).toBe(isOpen ? undefined : refusal);
    const { body: ofTool } = await graphql(asked, getIntrospectionQuery());
    expect(ofTool.errors?.length).toBe(isOpen ? undefined : 1);
    const { body: near } = await graphql(asked, '{ viewr { subject } }');
    if (mode === 'production') expect(near.errors?.[0]?.message ?? '').not.toContain('viewer');
  });
});
