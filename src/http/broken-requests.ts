import { type FastifyInstance, type FastifyReply } from 'fastify';
import { type Socket } from 'node:net';
import { type DomainError } from '../errors/domain-error.js';

/** Node's code for a connection that its sender closed amid a request. */
const endedAmid = 'HPE_INVALID_EOF_STATE';

/**
 * Refuses a request whose rest cannot be read or does not come in its time. Its caller is answered as by its route: with the
 * request's id, in its form and language; and the log and the metrics hear of its end. To be called before any hook that may
 * refuse a request.
 * @returns a function that answers whether a connection is amid a request, and then has refused it and ends the connection
 */
export function refuseBroken(
  app: FastifyInstance,
): (socket: Socket, error: DomainError, code?: string) => boolean {
  const latest = new WeakMap<Socket, FastifyReply>();
  const refused = new WeakSet<FastifyReply>();

  app.addHook('onRequest', ({ raw }, reply, done) => {
    const { socket } = raw;
    latest.set(socket, reply);
    // An idle connection would hold the body of its last request.
    reply.raw.once('close', () => {
      if (raw.complete && latest.get(socket) === reply) latest.delete(socket);
    });
    done();
  });

  return (socket, error, code) => {
    const reply = latest.get(socket);
    if (!reply || reply.request.raw.complete) return false;
    // The client would take a second reply for the answer to its next request.
    if (reply.raw.headersSent || code === endedAmid) socket.destroy();
    else if (!refused.has(reply)) {
      refused.add(reply);
      // Once a reply is written, Node tells nobody that the rest of its request never comes. Whoever reads it would wait.
      socket.once('close', () => reply.request.raw.destroy(error));
      void reply.header('connection', 'close').send(error);
    }
    return true;
  };
}
