import { isIP } from 'node:net';
import { type Settings } from '../settings/settings.js';
import { type Keys } from './keys.js';
import { signToken } from './token-signer.js';

const lifetimeMs = 43_200_000;

/** Signs a 12-hour token with full rights in the demo media; null if an identity provider signs the tokens. */
export async function signDeveloperToken(keys: Keys, settings: Settings, now: Date): Promise<string | null> {
  if (!keys.signing) return null;
  const claims = {
    sub: 'developer',
    roles: ['media_admin'],
    scope: 'r_w_jobs r_w_companies',
    media: ['demo-media'],
    lifetimeMs,
  };
  return signToken(keys, settings, claims, now);
}

/** True if only this machine can reach the host. */
export function isLoopback(host: string): boolean {
  const name = host.toLowerCase().replace(/^\[(.*)\]$/, '$1');
  return name === 'localhost' || name === '::1' || (isIP(name) === 4 && name.startsWith('127.'));
}
