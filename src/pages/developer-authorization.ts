import { type FastifyRequest } from 'fastify';
import { isLoopback, signDeveloperToken } from '../access/developer-token.js';
import { type Keys } from '../access/keys.js';
import { type Settings } from '../settings.js';

/** Returns an Authorization header with a new token for a page; null if the page must not get a token. */
export type DeveloperAuthorization = (request: FastifyRequest) => Promise<string | null>;

/** Headers that proxies add. If one is present, the reader may be on another machine. */
const proxyHeaders = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip'];

/**
 * Puts a token into pages if three conditions hold: the gateway runs in development; it listens on a loopback address and
 * has no other public URL; a browser on this machine opened the page under a loopback name. Without these conditions, a
 * foreign host name that resolves to 127.0.0.1, a script from another origin or a proxy could read the developer's token.
 */
export function developerAuthorization(
  settings: Settings,
  { keys, clock }: { keys: Keys; clock: () => Date },
): DeveloperAuthorization {
  const { environment, host, publicUrl } = settings;
  const isForDevelopers =
    environment === 'development' &&
    isLoopback(host) &&
    (publicUrl === undefined || isLoopback(new URL(publicUrl).hostname));

  return async ({ headers, hostname }) => {
    const isOpenedHere =
      isLoopback(hostname) &&
      headers.origin === undefined &&
      proxyHeaders.every((name) => headers[name] === undefined);
    if (!isForDevelopers || !isOpenedHere) return null;
    const token = await signDeveloperToken(keys, settings, clock());
    return token && `Bearer ${token}`;
  };
}
