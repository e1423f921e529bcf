import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import { type Socket } from 'node:net';

/** Logged, as by nginx, if the caller disconnects before the reply is written. Never sent. */
export const callerLeft = 499;

export interface End {
  status: number;
  ms: number;
}

const started = 'http.server.request.start';

/**
 * Keeps the running replies in `replies`, oldest first. Calls `onEnd` when a reply is written or its caller disconnects.
 *
 * Uses the diagnostics channel of Node.js: Fastify's `onResponse` and `onRequestAbort` miss requests that Node.js rejects itself, and
 * callers that disconnect after their body was read. These callers are the first sign of a slow gateway.
 */
export function watchReplies(
  server: Server,
  replies: Set<ServerResponse>,
  onEnd: (reply: ServerResponse, end: End) => void,
): void {
  const watch = (message: unknown) => {
    const { server: itsServer, response } = message as { server: Server; response: ServerResponse };
    if (itsServer !== server) return;
    const startedMs = performance.now();
    replies.add(response);
    response.once('close', () => {
      replies.delete(response);
      const status = response.writableFinished ? response.statusCode : callerLeft;
      onEnd(response, { status, ms: performance.now() - startedMs });
    });
  };
  server.once('listening', () => subscribe(started, watch));
  server.once('close', () => unsubscribe(started, watch));
  // When a connection closes, Node.js 20 emits `close` only on its first reply.
  server.on('connection', (socket) =>
    socket.once('close', () => {
      for (const reply of repliesOf(socket, replies)) if (reply.socket !== socket) reply.emit('close');
    }),
  );
}

const repliesOf = (socket: Socket, replies: ReadonlySet<ServerResponse>): ServerResponse[] =>
  [...replies].filter(({ req }) => req.socket === socket);

/** The statuses that Node.js sends. For other errors, it sends 400. */
const statuses = new Map([
  ['ERR_HTTP_REQUEST_TIMEOUT', 408],
  ['HPE_HEADER_OVERFLOW', 431],
]);

/** The codes of Node.js for a caller that disconnected. */
const hasLeft = new Set(['ECONNRESET', 'HPE_INVALID_EOF_STATE']);

/**
 * Answers unreadable bytes and slow requests like Node.js, and closes the connection. If a complete request on the connection waits for
 * its reply, sends only that reply: it may report a stored update.
 * @param onRefused gets the status if no reply was running
 */
export const refuseConnection =
  (replies: ReadonlySet<ServerResponse>, onRefused: (status: number) => void) =>
  ({ code = '' }: NodeJS.ErrnoException, socket: Socket): void => {
    const awaited = repliesOf(socket, replies);
    const whole = awaited.findLast(({ req }) => req.complete);
    const [begun] = awaited;
    const status = statuses.get(code) ?? 400;
    if (whole) whole.once('close', () => socket.destroySoon());
    else if (hasLeft.has(code) || !socket.writable || begun?.headersSent) socket.destroy();
    else if (begun) {
      // Destroy the request, or the reader of its body would wait forever: Node.js reports no error after a reply is written.
      socket.once('close', () => begun.req.destroy());
      begun.writeHead(status, { connection: 'close' }).end();
    } else {
      socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\n\r\n`);
      // Don't count connections that browsers open in advance and never use.
      if (socket.bytesRead > 0) onRefused(status);
    }
  };

const mostUnreadBytes = 2 ** 24;
/** A stream holds at most this many unread bytes. */
const mostStreamBytes = 2 ** 20;
/** Socket buffers accept this many bytes even if the caller reads nothing. */
const promptBytes = 16_384;
/** Each reply may stay unread for at least this long. */
const lookEveryMs = 250;

/**
 * While unread replies hold over 16 MiB together, closes the connections of the oldest.
 * @returns a function that counts a reply as unread until it ends, and returns the payload to send
 */
export function boundUnread(server: Server) {
  const unread = new Map<ServerResponse, { bytes: number; sinceMs: number }>();
  const timer = setInterval(() => {
    let bytes = [...unread.values()].reduce((sum, each) => sum + each.bytes, 0);
    for (const [reply, { bytes: held, sinceMs }] of unread) {
      if (bytes <= mostUnreadBytes || performance.now() - sinceMs < lookEveryMs) break;
      bytes -= held;
      reply.destroy();
    }
  }, lookEveryMs).unref();
  server.once('close', () => clearInterval(timer));

  return (reply: ServerResponse, payload: unknown, contentLength: unknown): unknown => {
    if (typeof payload === 'string' && payload.length <= promptBytes) return payload;
    // The caller may have left before its reply was ready: Node.js 20 emits no `close` after that, so the reply would stay counted.
    if (reply.req.socket.destroyed) return payload;
    // Send a buffer: Node.js holds several copies of an unread string.
    const sent = typeof payload === 'string' ? Buffer.from(payload) : payload;
    const bytes = Buffer.isBuffer(sent) ? sent.length : Math.min(Number(contentLength ?? 0), mostStreamBytes);
    unread.set(reply, { bytes, sinceMs: performance.now() });
    reply.once('close', () => unread.delete(reply));
    return sent;
  };
}
