import { type FastifyInstance } from 'fastify';
import { type LogoStore } from './logo-store.js';
import { DomainError } from '../../errors/domain-error.js';
import { isKnown, sendNotModified } from '../../http/negotiation.js';

const yearSeconds = 31_536_000;

/** A logo never changes under its hash, so caches may keep it for a year. */
export function registerLogoRoutes(app: FastifyInstance, store: LogoStore): void {
  app.get<{ Params: { hash: string } }>('/logos/:hash', async (request, reply) => {
    const { hash } = request.params;
    const logo = /^[\da-f]{64}$/.test(hash) ? await store.open(hash) : null;
    if (!logo) throw new DomainError('not-found');
    const etag = `"${hash}"`;
    void reply.headers({
      etag,
      'cache-control': `public, max-age=${yearSeconds}, immutable`,
      'content-type': logo.contentType,
      // Any site that shows the company may embed its logo.
      'cross-origin-resource-policy': 'cross-origin',
    });
    if (isKnown(request, etag)) return sendNotModified(reply);
    // Fastify would read the whole file only to discard it.
    if (request.method === 'HEAD') logo.stream.destroy();
    return reply.header('content-length', logo.length).send(logo.stream);
  });
}
