import { expect, it } from '@jest/globals';
import { isLoopback, signDeveloperToken } from '../../src/access/developer-token.js';
import { loadKeys } from '../../src/access/keys.js';
import { parseSettings } from '../../src/settings.js';

it('there is no developer’s token where an identity provider signs the tokens', async () => {
  const settings = parseSettings({ JWT_JWKS_URL: 'http://127.0.0.1:1/jwks' });
  expect(await signDeveloperToken(await loadKeys(settings), settings, new Date())).toBeNull();
});

it.each(['localhost', 'LOCALHOST', '127.0.0.1', '127.8.8.8', '::1', '[::1]'])(
  '%s is this machine alone',
  (host) => expect(isLoopback(host)).toBe(true),
);

it.each(['0.0.0.0', '::', '[::]', '128.0.0.1', '127.example', '127.0.0.1.example', 'example', ''])(
  '"%s" is not',
  (host) => expect(isLoopback(host)).toBe(false),
);
