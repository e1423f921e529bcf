import { once } from 'node:events';
import { type RequestListener } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { exportJWK, generateKeyPair, SignJWT, type GenerateKeyPairResult, type JWK } from 'jose';
import { fetchKeyDocument } from '../../src/tokens/key-endpoint.js';
import { loadKeys } from '../../src/tokens/keys.js';
import { createTokenVerifier } from '../../src/tokens/token-verifier.js';
import { parseSettings } from '../../src/settings/settings.js';
import { serve, startProvider, stopProviders, type TestProvider } from '../support/provider.js';
import { until } from '../support/until.js';

interface Pair {
  kid: string;
  alg: string;
  pair: GenerateKeyPairResult;
}
const makePair = async (kid: string, alg: string): Promise<Pair> => ({
  kid,
  alg,
  pair: await generateKeyPair(alg, { extractable: true }),
});
const publicHalf = async ({ kid, alg, pair }: Pair): Promise<JWK> => ({
  ...(await exportJWK(pair.publicKey)),
  kid,
  alg,
  use: 'sig',
});

let first: Pair;
let second: Pair;
beforeAll(async () => {
  [first, second] = await Promise.all([makePair('first', 'RS256'), makePair('second', 'EdDSA')]);
});

const opened: TestProvider[] = [];
afterEach(() => stopProviders(...opened.splice(0)));

/** A test may replace `listener` while the provider runs. */
async function provider(listener: RequestListener) {
  const started = await startProvider('https://provider.example');
  opened.push(started);
  return Object.assign(started, { listener, url: `${String(started.entry.jwksUrl)}?key=secret` });
}

const serveKeys = async (...pairs: Pair[]) => serve({ keys: await Promise.all(pairs.map(publicHalf)) });

async function gatewayAt(url: string) {
  const settings = parseSettings({ JWT_JWKS_URL: url });
  const keys = await loadKeys(settings);
  const verify = createTokenVerifier({ keys, clock: () => new Date() });
  const codeFor = async (
    { kid, alg, pair }: Omit<Pair, 'kid'> & { kid?: string | undefined },
    sub = 's',
  ): Promise<string> => {
    const token = await new SignJWT({ sub })
      .setProtectedHeader({ alg, ...(kid !== undefined && { kid }) })
      .setIssuer(settings.jwtIssuer)
      .setAudience(settings.jwtAudience)
      .setExpirationTime('1h')
      .sign(pair.privateKey);
    return verify(`Bearer ${token}`).then(
      () => 'accepted',
      (error: { code: string }) => error.code,
    );
  };
  return { keys, codeFor };
}

describe('the key set of an identity provider (Contract 3.1.3)', () => {
  it('appears in the start log without its query string', async () => {
    const { keys } = await gatewayAt('http://127.0.0.1:9/jwks?key=secret');
    expect(keys.description).toBe('the key set at http://127.0.0.1:9/jwks');
  });

  it.each([
    [{ use: 'sig' }, 'accepted'],
    [{ use: undefined, key_ops: ['verify'] }, 'accepted'],
    [{ use: undefined, key_ops: ['sign', 'verify'] }, 'accepted'],
    [{ use: 'enc' }, 'unauthorized-limitation'],
    [{ use: ['sig'] as never }, 'unauthorized-limitation'],
    [{ use: undefined, key_ops: ['encrypt', 'wrapKey'] }, 'unauthorized-limitation'],
    [{ use: undefined, key_ops: ['sign'] }, 'unauthorized-limitation'],
    [{ use: 'sig', key_ops: [] }, 'unauthorized-limitation'],
    [{ use: undefined, key_ops: 'verify' as never }, 'unauthorized-limitation'],
  ] as [JWK, string][])(
    'with the key members %j: a token gets %s (Contract 3.1.3)',
    async (members, outcome) => {
      const idp = await provider(
        serve({ keys: [{ ...(await publicHalf(first)), ...members }, await publicHalf(second)] }),
      );
      expect(await (await gatewayAt(idp.url)).codeFor(first)).toBe(outcome);
    },
  );

  it('may list a key twice, and several keys with the same kid and type', async () => {
    const [old, other] = await Promise.all([makePair('shared', 'ES256'), makePair('shared', 'ES256')]);
    const stranger = await makePair('shared', 'ES256');
    const idp = await provider(await serveKeys(first, first, old, other));
    const { codeFor } = await gatewayAt(idp.url);
    for (const pair of [first, old, other]) expect(await codeFor(pair)).toBe('accepted');
    expect(await codeFor(stranger)).toBe('unauthorized-limitation');
  });

  it.each<[string, RequestListener]>([
    ['fails', (...at) => void publicHalf(first).then((key) => serve({ keys: [key] }, 500)(...at))],
    ['answers with other JSON', serve({ hello: 'world' })],
    ['redirects', (_, response) => response.writeHead(302, { location: '/elsewhere' }).end()],
    ['never ends its answer', (_, response) => void endless(response)],
  ])('leads to 503, not 401, when the endpoint %s', async (_, listener) => {
    const idp = await provider(listener);
    const { codeFor } = await gatewayAt(idp.url);
    expect(await codeFor(first)).toBe('service-unavailable');
    expect(await codeFor(first)).toBe('service-unavailable');
    expect(idp.fetches).toBe(1);
  });

  it.each([
    [256 * 1_024, 'accepted'],
    [256 * 1_024 + 1, 'service-unavailable'],
  ])('is read up to 256 KiB: with %d bytes, a token gets %s (Contract 3.1.3)', async (bytes, outcome) => {
    const text = JSON.stringify({ keys: [await publicHalf(first)] }).padEnd(bytes);
    const idp = await provider((_, response) => response.end(text));
    expect(await (await gatewayAt(idp.url)).codeFor(first)).toBe(outcome);
  });

  it('leads to 503 after 2 seconds when the endpoint does not answer', async () => {
    const idp = await provider(() => {});
    const { codeFor } = await gatewayAt(idp.url);
    const code = codeFor(first);
    await until(() => idp.fetches === 1);
    // A busy machine delays this timer and the fetch alike.
    const outcome = await Promise.race([code, sleep(4_000, 'still waiting', { ref: false })]);
    expect(outcome).toBe('service-unavailable');
  });
});

describe('fetchKeyDocument', () => {
  it('asks for a key set', async () => {
    let accept: string | undefined;
    const { url } = await provider((request, response) => {
      ({ accept } = request.headers);
      response.end('{"keys":[]}');
    });
    expect(await fetchKeyDocument(url, AbortSignal.timeout(60_000))).toEqual({ keys: [] });
    expect(accept).toBe('application/jwk-set+json, application/json');
  });

  it('reports the status unless it is 200, without reading the body', async () => {
    let left: Promise<unknown> | undefined;
    const { url } = await provider((_, response) => {
      left = once(response, 'close');
      response.statusCode = 503;
      endless(response);
    });
    await expect(fetchKeyDocument(url, AbortSignal.timeout(60_000))).rejects.toMatchObject({
      message: 'the key set cannot be fetched',
      cause: { message: 'expected status 200, not 503' },
    });
    await left;
  });
});

function endless(response: Parameters<RequestListener>[1]): void {
  response.writeHead(response.statusCode);
  const write = () => {
    while (!response.destroyed && response.write(' '.repeat(65_536)));
  };
  response.on('drain', write);
  write();
}
