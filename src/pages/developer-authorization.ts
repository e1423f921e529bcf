import { type FastifyRequest } from 'fastify';
import { isLoopback, signDeveloperToken } from '../access/developer-token.js';
import { type Keys } from '../access/keys.js';
import { type Settings } from '../settings.js';

/** The Authorization header to fill into a page, signed anew for each request; null if this page must not get one. */
export type DeveloperAuthorization = (request: FastifyRequest) => Promise<string | null>;

/** Headers that a proxy adds. With one of them, the person who opened the page may sit at another machine. */
const proxyHeaders = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip'];

/**
 * Fills a token into pages, under three conditions. The gateway runs in development; it listens on a loopback address
 * and has no other public URL; and the page was opened by a browser on this machine, under a name of this machine.
 * Otherwise a foreign host name that resolves to 127.0.0.1, a script of another origin, or a proxy could read a
 * developer's token.
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
