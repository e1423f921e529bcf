import { type FastifyInstance } from 'fastify';
import { type IncomingMessage } from 'node:http';
import { type Socket } from 'node:net';

/** Most requests have come whole before the first look. */
const lookEveryMs = 50;

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
    // One that says its length sends no more than that.
    if (raw.headers['transfer-encoding'] !== undefined || Number(raw.headers['content-length']) > mostBytes)
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

/** The socket counts for us: a listener of our own would set a stream going before its reader is there. */
function countBytes(request: IncomingMessage, mostBytes: number): void {
  const { socket } = request;
  const bytesBefore = socket.bytesRead;
  const timer = setInterval(() => {
    if (socket.bytesRead - bytesBefore > mostBytes) socket.destroy();
    if (request.complete || socket.destroyed) clearInterval(timer);
  }, lookEveryMs);
  timer.unref();
}

/** A body that was refused unread would stall the connection for the request after it. */
function letRunOff(request: IncomingMessage): void {
  if (request.readableEnded || request.destroyed) return;
  request.unpipe();
  request.resume();
}
