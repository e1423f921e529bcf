import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import { type Socket } from 'node:net';

/** The status of a request whose caller left before its reply was written, as proxies log it. No reply has it. */
export const callerLeft = 499;

/** How a request ended. */
export interface End {
  status: number;
  ms: number;
}

const started = 'http.server.request.start';

/**
 * Keeps the replies under way in `replies`, oldest first, and tells when each has ended: it was written, or its caller left.
 * Node.js announces every request on this channel, those that it refuses itself included. Fastify's `onResponse` and
 * `onRequestAbort` miss those, and a caller who leaves after its body was read: a time-out, the first sign of slowness.
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
  // When a connection ends, Node.js 20 tells only the first of its replies.
  server.on('connection', (socket) =>
    socket.once('close', () => {
      for (const reply of repliesOf(socket, replies)) if (reply.socket !== socket) reply.emit('close');
    }),
  );
}

const repliesOf = (socket: Socket, replies: ReadonlySet<ServerResponse>): ServerResponse[] =>
  [...replies].filter(({ req }) => req.socket === socket);

/** What Node.js answers to what it cannot read, by its code; 400 to anything else. */
const statuses = new Map([
  ['ERR_HTTP_REQUEST_TIMEOUT', 408],
  ['HPE_HEADER_OVERFLOW', 431],
]);

/** Node's codes for a caller who left. */
const hasLeft = new Set(['ECONNRESET', 'HPE_INVALID_EOF_STATE']);

/**
 * Answers a connection on which nothing more can be read, as Node.js does, and ends it. If a whole request waits for its reply
 * there, it gets that reply and no other: it may be an update that is stored (Contract 9.6).
 * @param onRefused is told the status where no reply was under way
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
      // Whoever reads the body would wait: once a reply is written, Node.js tells nobody that the rest never comes.
      socket.once('close', () => begun.req.destroy());
      begun.writeHead(status, { connection: 'close' }).end();
    } else {
      socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\n\r\n`);
      // Browsers open connections ahead that never say anything: they bring no request.
      if (socket.bytesRead > 0) onRefused(status);
    }
  };

/** The most that long replies which nobody reads may hold together. */
const mostUnreadBytes = 2 ** 24;
/** The most that a stream holds of what nobody has read: it reads on only when that has gone. */
const mostStreamBytes = 2 ** 20;
/** What the buffers of a socket take at once, even if the other end reads nothing. */
const promptBytes = 16_384;
/** How often they are looked at. Each reply has at least so long. */
const lookEveryMs = 250;

/**
 * Closes the oldest connections while replies that their callers do not read hold more than 16 MiB together (Contract 8.6.3).
 * @returns counts a reply as unread until it has ended, and gives what to send of it
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
    // Node.js would hold several copies of a text until it is read.
    const sent = typeof payload === 'string' ? Buffer.from(payload) : payload;
    const bytes = Buffer.isBuffer(sent) ? sent.length : Math.min(Number(contentLength ?? 0), mostStreamBytes);
    unread.set(reply, { bytes, sinceMs: performance.now() });
    reply.once('close', () => unread.delete(reply));
    return sent;
  };
}
