import { type FastifyInstance } from 'fastify';
import { type IncomingMessage } from 'node:http';

/** Most requests have come whole before the first look. */
const lookEveryMs = 50;

/**
 * Bounds all that one request may send, whatever length it claims (Contract 8.6.1, 8.6.2). A refused body is read and
 * dropped, so that its connection can serve the next request; past `mostBytes` the connection is cut. Parsers have
 * tighter bounds of their own. This one also holds for bodies that no parser reads.
 */
export function boundRequestBytes(app: FastifyInstance, mostBytes: number): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const { raw } = request;
    // A request that says its length cannot send more.
    if (raw.headers['transfer-encoding'] !== undefined || Number(raw.headers['content-length']) > mostBytes)
      countBytes(raw, mostBytes);
    done();
  });
  app.addHook('onResponse', ({ raw }, _reply, done) => {
    letRunOff(raw);
    done();
  });
}

/** The socket counts for us: a listener of our own would set a stream going before its reader is there. */
function countBytes(request: IncomingMessage, mostBytes: number): void {
  const { socket } = request;
  const bytesBefore = socket.bytesRead;
  const timer = setInterval(() => {
    // What has come since it was complete belongs to the requests after it.
    if (request.complete || socket.destroyed) clearInterval(timer);
    else if (socket.bytesRead - bytesBefore > mostBytes) socket.destroy();
  }, lookEveryMs);
  timer.unref();
}

/** A body that was refused unread would stall the connection for the request after it. */
function letRunOff(request: IncomingMessage): void {
  if (request.readableEnded || request.destroyed) return;
  request.unpipe();
  request.resume();
}
