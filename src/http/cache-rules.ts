import { type FastifyInstance, type FastifyRequest } from 'fastify';

/**
 * Lets only the caller's own cache keep a reply to a caller with a token, or an error, which may come before a token is looked
 * at. That cache asks by the `ETag` before it shows a reply again, and keeps no reply that has none (Contract 8.6.7).
 */
export function applyCacheRules(app: FastifyInstance): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    const isOneCallers = request.caller !== null || reply.statusCode >= 400;
    if (isOneCallers)
      void reply.header('cache-control', reply.hasHeader('etag') ? 'private, no-cache' : 'private, no-store');
    done(null, payload);
  });
}

/** Whether the caller says in `If-None-Match` that it has what this tag stands for (RFC 9110, 13.1.2). */
export const isKnown = ({ headers }: Pick<FastifyRequest, 'headers'>, tag: string): boolean =>
  (headers['if-none-match'] ?? '')
    .split(',')
    .map((each) => each.trim().replace(/^W\//, ''))
    .some((each) => each === tag || each === '*');
