import { type FastifyInstance } from 'fastify';
import { type LogoStore } from './logo-store.js';
import { DomainError } from '../../errors/domain-error.js';
import { isKnown } from '../../http/etag.js';

const yearSeconds = 31_536_000;

/** Serves logos by the hash of their content, so that one never changes and may be kept for ever (Contract 4.1.7.5). */
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
      // Logos are for every site that shows the company.
      'cross-origin-resource-policy': 'cross-origin',
    });
    if (isKnown(request, etag)) return reply.code(304).send();
    // Fastify would read the file to its end, only to throw it away.
    if (request.method === 'HEAD') logo.stream.destroy();
    return reply.header('content-length', logo.length).send(logo.stream);
  });
}
