import { type FastifyRequest } from 'fastify';
import { isLoopback, signDeveloperToken } from '../access/developer-token.js';
import { type Keys } from '../access/keys.js';
import { type Settings } from '../settings.js';

/** The Authorization header that a page may be filled with, fresh for each request; null where it is to have none. */
export type DeveloperAuthorization = (request: FastifyRequest) => Promise<string | null>;

/** What a proxy adds: whoever opened the page may sit elsewhere. */
const proxyHeaders = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip'];

/**
 * Fills pages with a token only in development, listening on a loopback address and known by no other, and only for a
 * browser on this machine that opened the page itself under a name of this machine: a foreign name that was pointed
 * here, a script of another origin or a proxy gets a page without one.
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
