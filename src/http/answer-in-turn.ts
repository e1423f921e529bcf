import { type FastifyInstance } from 'fastify';
import { type IncomingMessage, type ServerResponse } from 'node:http';
import { type Socket } from 'node:net';

/** How many requests may wait on a connection for the reply before theirs. Today's clients send none ahead. */
const mostWaiting = 10;

/**
 * Begins a request only when the reply before it on its connection is written. Otherwise a client that sends many
 * requests ahead and reads no reply would make the gateway hold all of them. More than ten ahead cut the connection
 * (Contract 8.6.10).
 * @returns finds the last reply that a connection waits for, of those whose request has come whole
 */
export function answerInTurn(app: FastifyInstance): (socket: Socket) => ServerResponse | undefined {
  const connections = new WeakMap<Socket, Set<ServerResponse>>();

  // Put before Fastify's own listener, since some requests never reach its hooks.
  app.server.prependListener('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    const open = connections.get(socket) ?? openOn(socket);
    connections.set(socket, open);
    open.add(response);
    response.once('close', () => open.delete(response));
    if (open.size > 1 + mostWaiting) socket.destroy();
  });
  app.addHook('onRequest', ({ raw }, reply, done) => {
    const open = [...(connections.get(raw.socket) ?? [])];
    const before = open[open.indexOf(reply.raw) - 1];
    if (!before) return done();
    before.once('close', () => {
      // When the connection is gone, nobody waits for this reply.
      if (!raw.socket.destroyed) done();
    });
  });
  return (socket) => [...(connections.get(socket) ?? [])].findLast(({ req }) => req.complete);
}

/** The replies that a connection waits for. When it ends, Node tells only the first of them; this tells the others. */
function openOn(socket: Socket): Set<ServerResponse> {
  const open = new Set<ServerResponse>();
  socket.once('close', () => {
    for (const response of open) if (response.socket !== socket) response.emit('close');
  });
  return open;
}
