import { type FastifyInstance } from 'fastify';
import { type IncomingMessage } from 'node:http';
import { type Socket } from 'node:net';

/** Tells of connections whose request was answered before all of it had come. */
export interface RequestBytes {
  isAnswered(socket: Socket): boolean;
}

/**
 * Bounds what a request may send in all, whatever it says of its length (Contract 8.6.1, 8.6.2): what is refused is
 * read on and dropped, so that its connection serves the next request, but only as far as `mostBytes`; then the
 * connection is cut. Parsers have their own, tighter bounds; this one also holds for what none of them reads.
 */
export function boundRequestBytes(app: FastifyInstance, mostBytes: number): RequestBytes {
  const answered = new WeakSet<Socket>();

  app.addHook('onRequest', (request, _reply, done) => {
    const { raw } = request;
    if (raw.headers['transfer-encoding'] !== undefined || Number(raw.headers['content-length'] ?? 0) > 0)
      countBytes(raw, mostBytes);
    done();
  });
  app.addHook('onSend', ({ raw }, _reply, payload, done) => {
    if (!raw.complete) answered.add(raw.socket);
    done(null, payload);
  });
  app.addHook('onResponse', ({ raw }, _reply, done) => {
    letRunOff(raw);
    done();
  });
  return { isAnswered: (socket) => answered.has(socket) };
}

function countBytes(request: IncomingMessage, mostBytes: number): void {
  let bytes = 0;
  // A listener on a stream that is not paused would set it going before its reader is there.
  request.pause();
  // Nor does Node drop what follows a reply uncounted, once reading has begun.
  request.read(0);
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > mostBytes) request.destroy();
  });
}

/** A body that was refused unread would stall the connection for the request after it. */
function letRunOff(request: IncomingMessage): void {
  if (request.readableEnded || request.destroyed) return;
  request.unpipe();
  request.resume();
}
