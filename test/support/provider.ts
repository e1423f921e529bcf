import { createServer, type RequestListener, type Server } from 'node:http';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { exportJWK, generateKeyPair, type JWK, type JWTHeaderParameters, SignJWT } from 'jose';

export interface TestProvider {
  /** For JWT_PROVIDERS. */
  entry: Record<string, unknown>;
  publicKey: JWK;
  /** How often its key set was fetched. */
  fetches: number;
  /** Answers requests for its key set. */
  listener: RequestListener;
  server: Server;
  /** An access token with `iss`, `aud`, `sub`, `iat` and `exp`. A claim given as undefined is left out. */
  sign: (claims?: Record<string, unknown>, header?: Partial<JWTHeaderParameters>) => Promise<string>;
}

export const serve =
  (document: unknown, status = 200): RequestListener =>
  (_, response) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(document));

/** A provider with one key, whose key set is served over HTTP. */
export async function startProvider(
  issuer: string,
  members: Record<string, unknown> = {},
  alg = 'ES256',
): Promise<TestProvider> {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
  const jwk = { ...(await exportJWK(publicKey)), kid: `key of ${issuer}`, alg, use: 'sig' };
  const provider: TestProvider = {
    entry: {},
    publicKey: jwk,
    fetches: 0,
    listener: serve({ keys: [jwk] }),
    server: createServer((request, response) => {
      provider.fetches += 1;
      provider.listener(request, response);
    }),
    sign: (claims = {}, header = {}) => {
      const now = Math.floor(Date.now() / 1_000);
      const usual = { iss: issuer, aud: 'gateway', sub: 'somebody', iat: now, exp: now + 3_600 };
      return new SignJWT({ ...usual, ...claims })
        .setProtectedHeader({ alg, kid: jwk.kid, ...header })
        .sign(privateKey);
    },
  };
  await new Promise<void>((resolve) => provider.server.listen(0, '127.0.0.1', resolve));
  const jwksUrl = `http://127.0.0.1:${(provider.server.address() as AddressInfo).port}/jwks`;
  provider.entry = { issuer, audience: 'gateway', jwksUrl, ...members };
  return provider;
}

export const stopProviders = (...providers: readonly TestProvider[]): void => {
  for (const { server } of providers) server.close().closeAllConnections();
};

/** Writes a file for JWT_PROVIDERS. */
export async function providersFile(document: unknown): Promise<string> {
  const path = join(await mkdtemp(join(tmpdir(), 'providers-')), 'providers.json');
  await writeFile(path, typeof document === 'string' ? document : JSON.stringify(document));
  return path;
}
