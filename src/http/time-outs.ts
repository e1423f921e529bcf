import { type FastifyInstance } from 'fastify';

/** What the buffers of a socket take at once, even if the other end reads nothing. */
const promptBytes = 16_384;

/** Time-outs of the server itself, derived from the one that an operator sets (Contract 8.6.3). */
export const serverOptions = (requestTimeoutMs: number) => ({
  /** The whole request must have come in; its headers sooner. */
  requestTimeout: requestTimeoutMs,
  /** A connection on which nothing moves, neither in nor out. */
  connectionTimeout: 2 * requestTimeoutMs,
  // Longer than the idle time of usual load balancers, which would otherwise send into a closing connection.
  keepAliveTimeout: 65_000,
  http: {
    // Node compares the time-out of the headers with this one, which Fastify sets only later.
    requestTimeout: requestTimeoutMs,
    // A request for no host is answered in the documented form, which Node's own refusal is not.
    requireHostHeader: false,
    headersTimeout: Math.ceil(requestTimeoutMs / 3),
    // Node looks for slow requests only this often, by default every 30 s.
    connectionsCheckingInterval: Math.min(1_000, Math.ceil(requestTimeoutMs / 10)),
  },
});

/** The most memory that unread long replies may hold together, beside what the system's own buffers have taken. */
const mostUnreadBytes = 2 ** 24;
/** The most that a stream holds of what nobody has read: it reads on only when that has gone. */
const mostStreamBytes = 2 ** 20;
/** How often each of them is looked at, so that each may wait so long in any case. */
const lookEveryMs = 1_000;

/**
 * Cuts off a client that takes longer than this to read a long reply (Contract 8.6.3). While the replies that nobody has read
 * hold too much memory together, each has only a second: any number of callers could fill it otherwise.
 */
export function boundReplyTime(app: FastifyInstance, longestMs: number): void {
  let unreadBytes = 0;
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (typeof payload === 'string' && payload.length <= promptBytes) return done(null, payload);
    // Node would hold several copies of a text until it is read.
    const sent = typeof payload === 'string' ? Buffer.from(payload) : payload;
    const bytes = Buffer.isBuffer(sent)
      ? sent.length
      : Math.min(Number(reply.getHeader('content-length') ?? 0), mostStreamBytes);
    const { raw } = reply;
    unreadBytes += bytes;
    const endsAtMs = performance.now() + longestMs;
    // The oldest reply looks first, and frees what it holds before the next one looks.
    const timer = setInterval(
      () => {
        if (unreadBytes > mostUnreadBytes || performance.now() >= endsAtMs) raw.destroy();
      },
      Math.min(lookEveryMs, longestMs),
    ).unref();
    raw.once('close', () => {
      clearInterval(timer);
      unreadBytes -= bytes;
    });
    done(null, sent);
  });
}
