import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parse, validate } from 'graphql';
import { type Browser } from 'playwright-core';
import { buildSchema } from '../../src/graphql/schema.js';
import { readExamples } from '../../src/pages/example-operations.js';
import { describeInBrowser, openBrowser } from '../support/browser.js';
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

describeInBrowser('Apollo Sandbox in a browser', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());

  it('is let in: its script, its frame and its calls to the gateway', async () => {
    const page = await (await browser.newContext()).newPage();
    const violations: string[] = [];
    page.on('console', (message) => {
      if (/Content.Security.Policy/i.test(message.text())) violations.push(message.text());
    });
    // As the real script does: a frame of Apollo's beside calls that the page makes for it.
    await page.route('https://embeddable-sandbox.cdn.apollographql.com/**', (route) =>
      route.fulfill({
        contentType: 'text/javascript',
        body: `window.EmbeddedSandbox = class {
          constructor({ target, initialEndpoint, initialState: { headers } }) {
            const frame = document.createElement('iframe');
            frame.src = 'https://sandbox.embed.apollographql.com/sandbox/explorer';
            document.querySelector(target).append(frame);
            fetch(initialEndpoint, {
              method: 'POST',
              headers: { 'content-type': 'application/json', ...headers },
              body: JSON.stringify({ query: '{ viewer { subject } }' }),
            }).then((reply) => reply.json()).then((answer) => { document.body.append('called by ' + answer.data.viewer.subject); });
          }
        };`,
      }),
    );
    await page.route('https://sandbox.embed.apollographql.com/**', (route) =>
      route.fulfill({ contentType: 'text/html', body: 'Sandbox' }),
    );
    for (const other of [
      'https://fonts.googleapis.com/**',
      'https://apollo-server-landing-page.cdn.apollographql.com/**',
    ])
      await page.route(other, (route) => route.abort());
    await page.goto(`${gateway.url}/graphql`);
    await page.getByText('called by developer').waitFor({ state: 'attached' });
    await page.frameLocator('iframe').getByText('Sandbox').waitFor();
    expect(violations).toEqual([]);
    await page.context().close();
  });

  it('may call from its own address', async () => {
    const context = await browser.newContext();
    // Chromium asks a person before a public page may call this machine.
    await context.grantPermissions(['local-network-access'], { origin: 'https://studio.apollographql.com' });
    const page = await context.newPage();
    await page.route('https://studio.apollographql.com/**', (route) =>
      route.fulfill({ contentType: 'text/html', body: 'Studio' }),
    );
    await page.goto('https://studio.apollographql.com/sandbox/explorer');
    const token = await gateway.token({ sub: 'studio' });
    const answer = await page.evaluate(
      async ({ url, authorization }) => {
        const reply = await fetch(url, {
          method: 'POST',
          headers: { 'content-type': 'application/json', authorization },
          body: JSON.stringify({ query: '{ viewer { subject } }' }),
        });
        return reply.json();
      },
      { url: `${gateway.url}/graphql`, authorization: `Bearer ${token}` },
    );
    expect(answer).toMatchObject({ data: { viewer: { subject: 'studio' } } });
    await context.close();
  });

  it('says where to go when its scripts cannot be reached', async () => {
    const page = await (await browser.newContext()).newPage();
    await page.route(/^https:/, (route) => route.abort());
    await page.goto(`${gateway.url}/graphql`);
    await page.getByRole('link', { name: '/explorer' }).click();
    await page.getByRole('button', { name: 'UpdateJob' }).waitFor();
    await page.context().close();
  });
});
