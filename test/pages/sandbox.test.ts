import { describe, expect, it } from '@jest/globals';
import { parse, validate } from 'graphql';
import { buildSchema } from '../../src/graphql/schema.js';
import { readExamples } from '../../src/pages/example-operations.js';
import { ownGateway } from '../support/own-gateway.js';
import { graphql } from '../support/requests.js';

const gateway = ownGateway({ NODE_ENV: 'development' });

/** What Chromium asks for when an address is opened. */
const accept = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/webp,*/*;q=0.8';

interface SandboxConfig {
  initialState: { document: string; variables: Record<string, unknown>; headers?: Record<string, string> };
  runTelemetry: boolean;
}

const configOf = (html: string): SandboxConfig =>
  JSON.parse(/embeddedSandboxConfig = (.*);/.exec(html)?.[1] ?? '') as SandboxConfig;

describe('GET /graphql by a browser', () => {
  it('gives Apollo Sandbox with the examples, their variables and a token that works', async () => {
    const reply = await fetch(`${gateway.url}/graphql`, { headers: { accept } });
    expect(reply.status).toBe(200);
    expect(reply.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(reply.headers.get('cache-control')).toBe('no-store');
    expect(reply.headers.get('vary')?.toLowerCase().split(', ')).toContain('accept');
    const { initialState, runTelemetry } = configOf(await reply.text());
    const { document, variables, operations } = readExamples();
    expect(initialState).toMatchObject({ document, variables });
    expect(runTelemetry).toBe(false);

    const token = initialState.headers?.Authorization?.replace(/^Bearer /, '');
    for (const { document: operation, variables: own } of operations) {
      const { body } = await graphql(gateway, operation, own, { token });
      expect(body.errors).toBeUndefined();
    }
  });

  it('has a document of named operations that fits the schema', () => {
    const { document, operations } = readExamples();
    expect(validate(buildSchema(), parse(document))).toEqual([]);
    expect(operations.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['UpdateJob', 'UpdateCompany', 'Jobs', 'Viewer']),
    );
  });

  it('still answers operations and the CSRF guard as before', async () => {
    const headers = { accept, 'apollo-require-preflight': 'yes' };
    const operation = await fetch(`${gateway.url}/graphql?query={__typename}`, { headers });
    expect(await operation.json()).toMatchObject({ data: { __typename: 'Query' } });
    expect((await fetch(`${gateway.url}/graphql?query={__typename}`, { headers: { accept } })).status).toBe(
      400,
    );
  });

  it('shows it to nobody who names an operation, in whatever way, or prefers JSON (Contract 4.4.10, 4.4.11)', async () => {
    const typeOf = async (search: string, accepted: string) => {
      const headers = { accept: accepted, 'apollo-require-preflight': '1' };
      return (await fetch(`${gateway.url}/graphql${search}`, { headers })).headers.get('content-type');
    };
    const extensions = encodeURIComponent('{"persistedQuery":{"version":1,"sha256Hash":"0"}}');
    for (const search of ['?query={__typename}', '?documentId=0', `?extensions=${extensions}`])
      expect(await typeOf(search, accept)).toMatch(/^application\/json;/);
    const json = 'application/json; charset=utf-8';
    const graphqlJson = 'application/graphql-response+json; charset=utf-8';
    for (const [accepted, type] of [
      ['application/json, text/html;q=0.1', json],
      ['text/html;q=0', json],
      ['*/*', json],
      ['text/html;q=0.8, application/graphql-response+json', graphqlJson],
      ['text/html', 'text/html; charset=utf-8'],
      ['text/html, application/json;q=0.9', 'text/html; charset=utf-8'],
    ] as const)
      expect([accepted, await typeOf('', accepted)]).toEqual([accepted, type]);
  });
});
