import { expect, it } from '@jest/globals';
import { decodeJwt } from 'jose';
import { isLoopback, signDeveloperToken } from '../../src/tokens/developer-token.js';
import { loadKeys } from '../../src/tokens/keys.js';
import { signToken } from '../../src/tokens/token-signer.js';
import { parseSettings } from '../../src/settings/settings.js';
import { ownFolder } from '../support/own-folder.js';

const folder = ownFolder();

it('the gateway signs no tokens if an identity provider does', async () => {
  const settings = parseSettings({ JWT_JWKS_URL: 'http://127.0.0.1:1/jwks' });
  const keys = await loadKeys(settings);
  expect(await signDeveloperToken(keys, settings, new Date())).toBeNull();
  await expect(signToken(keys, settings, { sub: 's', lifetimeMs: 1 }, new Date())).rejects.toThrow(
    'an identity provider signs the tokens, and this gateway has no key to sign with',
  );
});

it('the developer’s token lasts 12 hours', async () => {
  const settings = parseSettings({ DATA_DIR: folder });
  const token = await signDeveloperToken(
    await loadKeys(settings),
    settings,
    new Date('2026-11-22T12:00:00Z'),
  );
  const { iat = 0, exp = 0 } = decodeJwt(token ?? '');
  expect(exp - iat).toBe(43_200);
});

it.each(['localhost', 'LOCALHOST', '127.0.0.1', '127.8.8.8', '::1', '[::1]'])(
  'the host %s is loopback',
  (host) => expect(isLoopback(host)).toBe(true),
);

it.each([
  ...['0.0.0.0', '::', '[::]', '128.0.0.1', '127.example', '127.0.0.1.example', '[local]host'],
  ...['local[host]', 'example', ''],
])('the host "%s" is not loopback', (host) => expect(isLoopback(host)).toBe(false));
