import { type FastifyInstance } from 'fastify';
import { type IncomingMessage, type ServerResponse } from 'node:http';
import { type Socket } from 'node:net';

/** Requests that may wait on a connection for the reply to the one before them; no client of today sends any ahead. */
const mostWaiting = 10;

/**
 * Begins a request only when the reply to the one before it on its connection is written, so that whoever sends many
 * ahead and reads no reply makes the gateway hold one. More than ten ahead cut the connection (Contract 8.6.10).
 */
export function answerInTurn(app: FastifyInstance): void {
  const connections = new WeakMap<Socket, Set<ServerResponse>>();

  // Before Fastify hears of it, and of requests, too, that none of its hooks see.
  app.server.prependListener('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    const open = connections.get(socket) ?? openOn(socket);
    connections.set(socket, open);
    open.add(response);
    response.once('close', () => open.delete(response));
    if (open.size > mostWaiting) socket.destroy();
  });
  app.addHook('onRequest', ({ raw }, reply, done) => {
    const open = [...(connections.get(raw.socket) ?? [])];
    const before = open[open.indexOf(reply.raw) - 1];
    if (!before) return done();
    before.once('close', () => {
      // Nobody waits any more at the end of a connection that is gone.
      if (!raw.socket.destroyed) done();
    });
  });
}

/** The replies that a connection waits for. Node tells of its end only the first of them. */
function openOn(socket: Socket): Set<ServerResponse> {
  const open = new Set<ServerResponse>();
  socket.once('close', () => {
    for (const response of open) if (response.socket !== socket) response.emit('close');
  });
  return open;
}
