import { beforeAll, describe, expect, it } from '@jest/globals';
import { type JWTVerifyGetKey, SignJWT, UnsecuredJWT } from 'jose';
import { loadKeys, type Keys, type TrustedProvider } from '../../src/tokens/keys.js';
import { createTokenVerifier } from '../../src/tokens/token-verifier.js';
import { signToken } from '../../src/tokens/token-signer.js';
import { DomainError } from '../../src/errors/domain-error.js';
import { parseSettings, type Settings } from '../../src/settings/settings.js';
import { usualClaims } from '../support/tokens.js';
import { ownFolder } from '../support/own-folder.js';

const folder = ownFolder();
let settings: Settings;
let keys: Keys;
let lookups = 0;
let now = new Date();

beforeAll(async () => {
  settings = parseSettings({ DATA_DIR: folder });
  const loaded = await loadKeys(settings);
  const providers = loaded.providers.map((provider): TrustedProvider => {
    const resolve: JWTVerifyGetKey = (header, token) => (lookups++, provider.resolve(header, token));
    return { ...provider, resolve };
  });
  keys = { ...loaded, providers };
});

const start = Date.UTC(2026, 0, 1);
const atSecond = (second: number) => (now = new Date(start + second * 1_000));
const verifier = () => createTokenVerifier({ keys, clock: () => now });
const verify = (token: string) => verifier()(`Bearer ${token}`);
const usualToken = (lifetimeMs = 3_600_000) =>
  signToken(keys, settings, { ...usualClaims, lifetimeMs }, new Date(start));

async function tokenWith(claims: Record<string, unknown>, header: { typ?: string } = {}): Promise<string> {
  const { signing } = keys;
  if (signing === null) throw new Error('no key to sign with');
  const good = { iss: settings.jwtIssuer, aud: settings.jwtAudience, sub: 's', exp: start / 1_000 + 3_600 };
  return new SignJWT({ ...good, ...claims })
    .setProtectedHeader({ alg: signing.alg, kid: signing.kid, ...header })
    .sign(signing.key);
}

async function refusal(attempt: Promise<unknown>): Promise<DomainError> {
  const error = await attempt.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof DomainError)) throw new Error('expected a DomainError');
  return error;
}

async function expectInvalid(
  attempt: Promise<unknown>,
  description = /^[ !#-[\]-~]{10,100}$/,
  reason = 'token_invalid',
): Promise<void> {
  const error = await refusal(attempt);
  expect([error.code, error.details.lack]).toEqual([
    'unauthorized-limitation',
    { reason, description: expect.stringMatching(description) },
  ]);
}

describe('the bearer header (Contract 3.1.1)', () => {
  it('may be missing', async () => {
    expect(await verifier()(undefined)).toBeNull();
  });

  it.each(['Bearer', 'bearer', 'BEARER'])('may spell its scheme %s', async (scheme) => {
    atSecond(0);
    expect(await verifier()(`${scheme} ${await usualToken()}`)).toMatchObject({ subject: 'tester' });
  });

  it.each(['', 'Bearer', 'Bearer ', 'Basic abc', 'Bearer a b', 'Bearer a, Bearer b', 'token', 'Bearer é'])(
    'is refused as "%s"',
    async (header) => {
      await expectInvalid(verifier()(header));
    },
  );

  it('may have spaces before the token, but nothing before the scheme', async () => {
    atSecond(0);
    const token = await usualToken();
    expect(await verifier()(`Bearer   ${token}`)).toMatchObject({ subject: 'tester' });
    await expectInvalid(verifier()(`x Bearer ${token}`), /^the header is not Bearer and a token$/);
  });

  it('may carry a token of at most 12288 characters (Contract 3.1.1)', async () => {
    await expectInvalid(verify('a'.repeat(12_288)), /^the token is malformed$/);
    await expectInvalid(verify('a'.repeat(12_289)), /^the token is longer than 12288 characters$/);
  });

  it('is answered with 503, not 401, while no key is known (Contract 3.1.3)', async () => {
    atSecond(0);
    const away = new DomainError('service-unavailable');
    const providers = keys.providers.map((provider) => ({
      ...provider,
      resolve: () => Promise.reject(away),
    }));
    const verifyLater = createTokenVerifier({ keys: { providers }, clock: () => now });
    expect(await refusal(verifyLater(`Bearer ${await usualToken()}`))).toBe(away);
  });
});

describe('a token', () => {
  it.each([
    { sub: undefined },
    { exp: undefined },
    { iss: undefined },
    { iss: 'urn:other' },
    { aud: undefined },
    { aud: ['urn:other'] },
    { nbf: start / 1_000 + 31 },
    { iat: start / 1_000 + 31 },
    { iat: 'yesterday' },
  ])('is refused with the claims %p', async (claims) => {
    atSecond(0);
    await expectInvalid(verify(await tokenWith(claims)));
  });

  it('is accepted with clocks up to 30 s apart', async () => {
    atSecond(0);
    const early = { nbf: start / 1_000 + 30, iat: start / 1_000 + 30 };
    expect(await verify(await tokenWith(early))).not.toBeNull();
    const token = await usualToken(10_000);
    atSecond(39);
    expect(await verify(token)).not.toBeNull();
    atSecond(40);
    await expectInvalid(verify(token), /^the token has expired$/, 'token_expired');
  });

  it.each(['JWT', 'jwt', 'at+jwt', 'application/at+jwt'])(
    'is accepted with the typ %s (Contract 3.1.2)',
    async (typ) => {
      atSecond(0);
      expect(await verify(await tokenWith({}, { typ }))).not.toBeNull();
    },
  );

  it.each(['logout+jwt', 'dpop+jwt', 'JOSE', 'xjwt', 'jwtx', ''])(
    'is refused with the typ %p (Contract 3.1.2)',
    async (typ) => {
      atSecond(0);
      await expectInvalid(verify(await tokenWith({}, { typ })));
    },
  );

  it('is accepted when the gateway is one of several audiences', async () => {
    atSecond(0);
    const token = await tokenWith({ aud: ['urn:other', settings.jwtAudience] });
    expect(await verify(token)).not.toBeNull();
  });

  it('is called expired only if its signature is valid (Contract 7.3.3)', async () => {
    atSecond(0);
    const token = await tokenWith({ exp: start / 1_000 - 31 });
    await expectInvalid(verify(token), undefined, 'token_expired');
    await expectInvalid(verify(`${token.slice(0, -3)}AAA`), /^the signature does not verify$/);
    const unsigned = new UnsecuredJWT({ exp: 1 }).setIssuer(settings.jwtIssuer).setSubject('s').encode();
    await expectInvalid(verify(unsigned));
  });

  it('is refused if any part was changed', async () => {
    atSecond(0);
    const parts = (await usualToken()).split('.');
    for (const index of [0, 1, 2]) {
      const changed = parts.map((part, at) => (at === index ? `${part.slice(0, -3)}AAA` : part));
      await expectInvalid(verify(changed.join('.')));
    }
  });

  it('never appears in a refusal, nor do its claims', async () => {
    atSecond(0);
    const tokens = [
      await tokenWith({ email: 'jane@acme.example', roles: 1 }),
      await tokenWith({ email: 'jane@acme.example', exp: 1 }),
      `eyJhbGciOiJFUzI1NiJ9.${Buffer.from('jane@acme.example').toString('base64url')}.AAAA`,
    ];
    for (const token of tokens) {
      const error = await refusal(verify(token));
      const cause = error.cause as Error;
      const told = JSON.stringify([{ ...error }, { ...cause }, cause.message, cause.stack, cause.cause]);
      expect(cause.message).not.toBe('');
      expect(told).not.toContain('jane');
      for (const part of token.split('.')) expect(told).not.toContain(part);
    }
  });
});

describe('a repeated token', () => {
  const lookupsOf = async (run: () => Promise<unknown>) => {
    const before = lookups;
    await run();
    return lookups - before;
  };

  it('is verified once for many simultaneous requests', async () => {
    const [check, header] = [verifier(), `Bearer ${await usualToken()}`];
    atSecond(0);
    expect(await lookupsOf(() => Promise.all(Array.from({ length: 50 }, () => check(header))))).toBe(1);
  });

  it('is verified again if it was refused', async () => {
    const [check, header] = [verifier(), `Bearer ${await tokenWith({ brand: 1 })}`];
    atSecond(0);
    for (let attempt = 0; attempt < 2; attempt++)
      expect(await lookupsOf(() => expectInvalid(check(header)))).toBe(1);
  });
});
