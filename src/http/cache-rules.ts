import { type FastifyInstance } from 'fastify';

/**
 * Keeps what a caller with a token is answered from every cache but its own, which has to ask before it shows the reply
 * again, and may not keep one without an `ETag` to ask by (Contract 8.6.7).
 */
export function applyCacheRules(app: FastifyInstance): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    const isOneCallers = request.caller !== null || reply.statusCode === 401;
    if (isOneCallers)
      void reply.header('cache-control', reply.hasHeader('etag') ? 'private, no-cache' : 'private, no-store');
    done(null, payload);
  });
}
