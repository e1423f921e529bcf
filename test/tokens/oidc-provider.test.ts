import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { createServer, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { decodeProtectedHeader, exportJWK, generateKeyPair, type JWK } from 'jose';
import { type Provider } from 'oidc-provider';
import { providersFile } from '../support/provider.js';
import { startTestGateway, type TestGateway } from '../support/gateway.js';
import { graphql } from '../support/requests.js';

const audience = 'https://gateway.example';
const scope = 'r_w_jobs r_w_companies';
const secret = 'secret of the client';

let server: Server;
let issuer: string;
let first: JWK;
let provider: Provider;
let gateway: TestGateway;

const newKey = async (kid: string): Promise<JWK> => {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  return { ...(await exportJWK(privateKey)), kid, alg: 'RS256', use: 'sig' };
};

/** An OpenID Provider that issues JWT access tokens (RFC 9068) for the gateway. The first key signs. */
async function providerWith(keys: JWK[]): Promise<Provider> {
  // It warns of Node.js 20, and that its adapter keeps everything in memory.
  const warn = jest.spyOn(console, 'warn').mockImplementation(() => undefined);
  try {
    const { Provider: OpenIdProvider } = await import('oidc-provider');
    return new OpenIdProvider(issuer, {
      jwks: { keys: keys },
      cookies: { keys: ['cookie key'] },
      ttl: { ClientCredentials: 600 },
      clients: [
        {
          client_id: 'site',
          client_secret: secret,
          grant_types: ['client_credentials'],
          redirect_uris: [],
          response_types: [],
        },
      ],
      features: {
        clientCredentials: { enabled: true },
        devInteractions: { enabled: false },
        resourceIndicators: {
          enabled: true,
          getResourceServerInfo: (_context, resource) => ({
            audience: resource,
            scope,
            accessTokenFormat: 'jwt',
            jwt: { sign: { alg: 'RS256' } },
          }),
        },
      },
      extraTokenClaims: () => ({ 'https://gateway.example/roles': ['media_admin'] }),
    });
  } finally {
    warn.mockRestore();
  }
}

async function askToken(resource = audience): Promise<string> {
  const reply = await fetch(`${issuer}/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`site:${encodeURIComponent(secret)}`)}` },
    body: new URLSearchParams({ grant_type: 'client_credentials', scope, resource }),
  });
  const { access_token: token } = (await reply.json()) as { access_token: string };
  return token;
}

async function viewer(token: string): Promise<unknown> {
  const { status, body } = await graphql(gateway, '{ viewer { subject roles scopes media } }', {}, { token });
  return status === 200 ? body.data?.viewer : status;
}

beforeAll(async () => {
  server = createServer((request, response) => void provider.callback()(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  first = await newKey('first');
  provider = await providerWith([first]);
  const { jwks_uri: jwksUrl } = (await (
    await fetch(`${issuer}/.well-known/openid-configuration`)
  ).json()) as { jwks_uri: string };
  const claims = { roles: '/https:~1~1gateway.example~1roles' };
  const entry = { issuer, audience, jwksUrl, claims, prefix: 'site', media: ['demo-media'] };
  gateway = await startTestGateway({ JWT_PROVIDERS: await providersFile([entry]) });
});
afterAll(async () => {
  server.close().closeAllConnections();
  await gateway.stop();
});

describe('an OpenID Provider (Contract 9.1.1, 9.1.2)', () => {
  const caller = {
    subject: 'site:site',
    roles: ['media_admin'],
    scopes: ['r_w_jobs', 'r_w_companies'],
    media: ['demo-media'],
  };

  it('has its access tokens accepted', async () => {
    const token = await askToken();
    expect(decodeProtectedHeader(token)).toMatchObject({ typ: 'at+jwt', kid: 'first' });
    expect(await viewer(token)).toEqual(caller);
  });

  it('has its tokens for another audience refused', async () => {
    expect(await viewer(await askToken('https://elsewhere.example'))).toBe(401);
  });

  it('may rotate its keys: tokens of a new key are accepted at once, and tokens of an old key until the key is removed', async () => {
    const [old, unseen] = [await askToken(), await askToken()];
    const second = await newKey('second');
    provider = await providerWith([second, first]);
    const rotated = await askToken();
    expect(decodeProtectedHeader(rotated).kid).toBe('second');
    expect(await viewer(rotated)).toEqual(caller);
    expect(await viewer(old)).toEqual(caller);
    provider = await providerWith([await newKey('third')]);
    // An unknown kid makes the gateway load the keys, at most every 5 s.
    await sleep(5_000);
    expect(await viewer(await askToken())).toEqual(caller);
    expect(await viewer(unseen)).toBe(401);
  });
});
