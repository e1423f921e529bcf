import { type FastifyInstance } from 'fastify';

/** What a socket's buffers take at once, whoever reads at the other end. */
const promptBytes = 16_384;

/** Time-outs of the server itself, made of the one that an operator sets (Contract 8.6.2). */
export const serverOptions = (requestTimeoutMs: number) => ({
  /** The whole request must have come in; its headers sooner. */
  requestTimeout: requestTimeoutMs,
  /** A connection on which nothing moves, neither in nor out. */
  connectionTimeout: 2 * requestTimeoutMs,
  // Longer than the idle time of usual load balancers, which would else send into a closing connection.
  keepAliveTimeout: 65_000,
  http: {
    // A request for no host is answered in the documented form, which Node's own refusal is not.
    requireHostHeader: false,
    headersTimeout: Math.ceil(requestTimeoutMs / 3),
    // Node looks for slow requests only this often, by default every 30 s.
    connectionsCheckingInterval: Math.min(1_000, Math.ceil(requestTimeoutMs / 10)),
  },
});

/** Cuts off who reads a long reply so slowly that it takes longer than this (Contract 8.6.2). */
export function boundReplyTime(app: FastifyInstance, longestMs: number): void {
  app.addHook('onSend', (_request, { raw }, payload, done) => {
    if (typeof payload === 'string' && payload.length <= promptBytes) return done(null, payload);
    const timer = setTimeout(() => raw.destroy(), longestMs).unref();
    raw.once('close', () => clearTimeout(timer));
    // Of a text Node would hold several copies for as long as it is not read.
    done(null, typeof payload === 'string' ? Buffer.from(payload) : payload);
  });
}
