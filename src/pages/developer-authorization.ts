import { type FastifyRequest } from 'fastify';
import { isLoopback, signDeveloperToken } from '../tokens/developer-token.js';
import { type Keys } from '../tokens/keys.js';
import { type Settings } from '../settings/settings.js';

/** An Authorization header with a new token; null if the page must not get a token. */
export type DeveloperAuthorization = (request: FastifyRequest) => Promise<string | null>;

/** Headers that proxies add: with one of them, the reader may be on another machine. */
const proxyHeaders = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip'];

/**
 * Puts a token into pages if the gateway runs in development, listens on a loopback address and has no other public URL, and a browser
 * on this machine opened the page under a loopback name. Otherwise a foreign host name that resolves to 127.0.0.1, a script from
 * another origin or a proxy could read the token.
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
