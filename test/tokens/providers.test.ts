import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  providersFile,
  serve,
  startProvider,
  stopProviders,
  type TestProvider,
} from '../support/provider.js';
import { root } from '../support/process.js';
import { type TestGateway } from '../support/gateway.js';
import { ownGateways } from '../support/own-gateway.js';
import { graphql, rest } from '../support/requests.js';
import { recordedTokens } from './recorded-tokens.js';

const job = 'acme-backend-engineer';
const issuers = {
  demo: 'https://demo.example',
  other: 'https://other.example',
  away: 'https://away.example',
};
const gatewayWith = ownGateways();
/** The same three providers, in two orders. */
const gateways: TestGateway[] = [];
let demo: TestProvider;
let other: TestProvider;
let away: TestProvider;

beforeAll(async () => {
  [demo, other, away] = await Promise.all([
    startProvider(issuers.demo, {
      prefix: 'demo',
      media: ['demo-media'],
      claims: { scope: '/scp', roles: '/realm_access/roles' },
      roles: { boss: 'media_admin', partner: 'media_partner', brand: 'brand_admin' },
    }),
    startProvider(issuers.other, { media: ['other-media', 'third-media'] }),
    startProvider(issuers.away, { prefix: 'away', media: '*' }),
  ]);
  stopProviders(away);
  const entries = [demo, other, away].map(({ entry }) => entry);
  for (const order of [entries, entries.toReversed()])
    gateways.push(await gatewayWith({ JWT_PROVIDERS: await providersFile(order) }));
});
afterAll(() => stopProviders(demo, other));

const demoClaims = { scp: ['r_w_jobs', 'r_w_companies'], realm_access: { roles: ['boss'] } };
const otherClaims = { scope: 'r_w_jobs r_w_companies', roles: ['media_admin'] };

/** Asks both gateways, which must give the same answer. */
async function same<T>(ask: (gateway: TestGateway) => Promise<T>): Promise<T> {
  const [one, reversed] = await Promise.all(gateways.map(ask));
  expect(reversed).toEqual(one);
  return one as T;
}

const viewer = (token: string) =>
  same(async (gateway) => {
    const query = '{ viewer { subject roles scopes media brand } }';
    const { status, body, headers } = await graphql(gateway, query, {}, { token });
    return status === 200 ? body.data?.viewer : [status, headers.get('www-authenticate')];
  });

const refused = (why: RegExp) => [401, expect.stringMatching(why)];
const readJob = (token: string) =>
  same(async (gateway) => (await rest(gateway, 'GET', `/jobs/${job}`, undefined, { token })).status);

describe('a token of one of several providers (Contract 3.1.5, 9.1.1, 9.1.2)', () => {
  it('has the subject with the prefix of its provider, and the roles and scopes that its provider maps', async () => {
    expect(await viewer(await demo.sign({ ...demoClaims, brand: 'acme-group' }))).toEqual({
      subject: 'demo:somebody',
      roles: ['media_admin'],
      scopes: ['r_w_jobs', 'r_w_companies'],
      media: ['demo-media'],
      brand: 'acme-group',
    });
    const unmapped = { ...demoClaims, realm_access: { roles: ['media_admin', 'toString', '__proto__'] } };
    expect(await viewer(await demo.sign(unmapped))).toMatchObject({ roles: [] });
    expect(await viewer(await other.sign(otherClaims))).toMatchObject({
      subject: 'somebody',
      roles: ['media_admin'],
      media: ['other-media', 'third-media'],
    });
  });

  it('is refused if it names another provider than the one whose key signed it', async () => {
    const forged = await demo.sign({ ...otherClaims, iss: issuers.other });
    expect(await viewer(forged)).toEqual(refused(/no known key|signature/));
    const kid = other.publicKey.kid ?? '';
    expect(await viewer(await demo.sign({ ...otherClaims, iss: issuers.other }, { kid }))).toEqual(
      refused(/the signature does not verify/),
    );
  });

  it('is refused if its provider is unknown, and nothing is fetched for it', async () => {
    const stranger = await startProvider('https://stranger.example');
    const before = [demo, other, stranger].map(({ fetches }) => fetches);
    for (const iss of [stranger.entry.jwksUrl, 'https://stranger.example', undefined, 7, `${issuers.demo}/`])
      expect(await viewer(await stranger.sign({ ...demoClaims, iss }))).toEqual(refused(/the claim iss/));
    expect([demo, other, stranger].map(({ fetches }) => fetches)).toEqual(before);
    stopProviders(stranger);
  });

  it('cannot act in a media that is not its provider’s, whatever it claims and whatever its role', async () => {
    const elsewhere = { ...otherClaims, media: ['demo-media'] };
    expect(await viewer(await other.sign(elsewhere))).toMatchObject({ media: [] });
    expect(await readJob(await other.sign(elsewhere))).toBe(401);
    expect(await readJob(await other.sign({ ...elsewhere, media: ['demo-media', 'third-media'] }))).toBe(401);
    expect(await readJob(await other.sign({ ...otherClaims, media: [] }))).toBe(401);
    const brand = { ...elsewhere, roles: ['brand_admin'], brand: 'acme-group' };
    expect(await readJob(await other.sign(brand))).toBe(401);
    expect(await readJob(await other.sign({ ...brand, media: undefined }))).toBe(401);
    expect(await readJob(await demo.sign(demoClaims))).toBe(200);
    expect(await readJob(await demo.sign({ ...demoClaims, media: 'demo-media other-media' }))).toBe(200);
  });

  it('is refused without a prefix if its subject looks like one with another provider’s prefix', async () => {
    expect(await viewer(await other.sign({ ...otherClaims, sub: 'demo:somebody' }))).toEqual(
      refused(/sub begins with the prefix of another identity provider/),
    );
    expect(await viewer(await other.sign({ ...otherClaims, sub: 'demo' }))).toMatchObject({
      subject: 'demo',
    });
    expect(await viewer(await demo.sign({ ...demoClaims, sub: 'away:x' }))).toMatchObject({
      subject: 'demo:away:x',
    });
    expect(await viewer(await demo.sign({ ...demoClaims, sub: 'system' }))).toEqual(refused(/reserved/));
    expect(await viewer(await demo.sign({ ...demoClaims, sub: 'x'.repeat(251) }))).toEqual(refused(/255/));
  });

  it('owns records and appears in their history under its subject with the prefix', async () => {
    const [gateway] = gateways as [TestGateway];
    await gateway.models.jobs.collection.updateOne(
      { publicId: job },
      { $set: { createdBy: 'demo:somebody' } },
    );
    const partner = { ...demoClaims, realm_access: { roles: ['partner'] } };
    const update = async (token: string) =>
      (await rest(gateway, 'POST', `/jobs/${job}`, { form: { salary: 'by its owner' } }, { token })).status;
    expect(await update(await demo.sign({ ...partner, sub: 'somebody else' }))).toBe(401);
    expect(await update(await demo.sign(partner))).toBe(200);
    const query = `{ job(publicId: "${job}") { history(first: 1) { edges { node { actor } } } } }`;
    const { body } = await graphql(gateway, query, {}, { token: await demo.sign(demoClaims) });
    expect(body.data?.job).toEqual({ history: { edges: [{ node: { actor: 'demo:somebody' } }] } });
    await gateway.reset();
  });

  it('is verified with the keys in the file if it has some, from the first request on', async () => {
    const { entry, publicKey, sign, server } = await startProvider('https://keys.example');
    server.close();
    const members = { ...entry, jwksUrl: undefined, keys: { keys: [publicKey, other.publicKey] } };
    const gateway = await gatewayWith({ JWT_PROVIDERS: await providersFile([members]) });
    const ask = async (token: string) =>
      (await graphql(gateway, '{ viewer { subject media } }', {}, { token })).body.data?.viewer;
    expect(await ask(await sign())).toEqual({ subject: 'somebody', media: null });
    expect(await ask(await sign({ media: ['demo-media'] }))).toMatchObject({ media: ['demo-media'] });
    expect(await ask(await demo.sign({ iss: 'https://keys.example' }))).toBeUndefined();
    const metrics = await (await fetch(`${gateway.url}/metrics`)).text();
    expect(metrics).toContain('gateway_keys_age_seconds{issuer="https://keys.example"} 0');
    expect(gateway.gateway.keys.description).toBe('the keys of https://keys.example in JWT_PROVIDERS');
  });

  it('gets 503 while its provider is away, and the callers of the others are served', async () => {
    const token = await away.sign({ ...otherClaims, media: ['demo-media'] });
    expect(await readJob(token)).toBe(503);
    expect(await readJob(await demo.sign(demoClaims))).toBe(200);
    for (const { url } of gateways) {
      expect((await fetch(`${url}/ready`)).status).toBe(200);
      const metrics = await (await fetch(`${url}/metrics`)).text();
      expect(metrics).toContain(`gateway_keys_age_seconds{issuer="${issuers.away}"} +Inf`);
      expect(metrics).toContain(`gateway_keys_age_seconds{issuer="${issuers.demo}"} 0`);
    }
  });

  it('is served while its provider answers garbage or no keys, once the keys are known', async () => {
    expect(await readJob(await demo.sign(demoClaims))).toBe(200);
    const { listener } = demo;
    for (const document of [{ keys: [] }, { keys: [{ kty: 'oct', k: 'AAAA' }] }, 'garbage', null]) {
      demo.listener = serve(document);
      // An unknown kid makes the gateway ask at once, unless it has just asked.
      expect(await readJob(await demo.sign(demoClaims, { kid: 'new' }))).toBe(503);
      expect(await readJob(await demo.sign({ ...demoClaims, sub: 'not cached' }))).toBe(200);
    }
    demo.listener = listener;
  });
});

describe('a token that grants no access (Contract 3.1.4)', () => {
  it.each([{ token_use: 'id' }, { typ: 'ID' }, { nonce: 'n-0S6_WzA2Mj' }])(
    'is refused with the claims %j of an ID token',
    async (claims) => {
      expect(await viewer(await demo.sign({ ...demoClaims, ...claims }))).toEqual(refused(/an ID token/));
    },
  );

  it('is accepted with a nonce if its header says at+jwt', async () => {
    const token = await demo.sign({ ...demoClaims, nonce: 'n' }, { typ: 'at+jwt' });
    expect(await viewer(token)).toMatchObject({ subject: 'demo:somebody' });
  });

  it.each([{ token_use: 'id' }, { typ: 'ID' }])(
    'is refused with %j and a header that says at+jwt',
    async (claims) => {
      const token = await demo.sign({ ...demoClaims, ...claims }, { typ: 'at+jwt' });
      expect(await viewer(token)).toEqual(refused(/an ID token/));
    },
  );

  it.each([{ token_use: 'access' }, { typ: 'Bearer' }, { typ: 'Bearer', nonce: 'of Keycloak 24' }])(
    'is accepted with the claims %j',
    async (claims) => {
      expect(await viewer(await demo.sign({ ...demoClaims, ...claims }))).toMatchObject({
        subject: 'demo:somebody',
      });
    },
  );

  it.each([{ jkt: 'thumbprint' }, { 'x5t#S256': 'thumbprint' }, {}, null])(
    'is refused as bound to a key with the cnf %j',
    async (cnf) => {
      expect(await viewer(await demo.sign({ ...demoClaims, cnf }))).toEqual(
        refused(/error="invalid_token".*bound to a key/),
      );
    },
  );
});

describe('the files of deploy/providers', () => {
  const names = Object.keys(recordedTokens) as (keyof typeof recordedTokens)[];
  const providers = new Map<string, TestProvider>();
  let gateway: TestGateway;

  beforeAll(async () => {
    const entries: unknown[] = [];
    for (const name of names) {
      const file = await readFile(join(root, `deploy/providers/${name}.json`), 'utf8');
      for (const entry of JSON.parse(file) as Record<string, unknown>[]) {
        const provider = await startProvider(String(entry.issuer), {}, 'RS256');
        providers.set(name, provider);
        entries.push({ ...entry, jwksUrl: provider.entry.jwksUrl });
      }
    }
    gateway = await gatewayWith({ JWT_PROVIDERS: await providersFile(entries) });
  });
  afterAll(() => stopProviders(...providers.values()));

  it.each(names)(
    'accept an access token of %s as its documentation shows it, and no ID token (Contract 9.1.3)',
    async (name) => {
      const { claims, header, caller } = recordedTokens[name];
      const provider = providers.get(name) as TestProvider;
      const query = '{ viewer { subject roles scopes media } }';
      const ask = async (changed: Record<string, unknown> = {}) =>
        graphql(
          gateway,
          query,
          {},
          {
            token: await provider.sign({ aud: undefined, ...claims, ...changed }, header),
          },
        );
      expect((await ask()).body.data?.viewer).toEqual(caller);
      const wrong = name === 'cognito' ? { client_id: 'another' } : { aud: 'another' };
      expect((await ask(wrong)).status).toBe(401);
      const isBearer = 'typ' in claims && claims.typ === 'Bearer';
      expect((await ask({ nonce: 'of a login' })).status).toBe(isBearer ? 200 : 401);
      expect((await ask({ token_use: 'id' })).status).toBe(401);
    },
  );
});
