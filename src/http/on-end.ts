import { type FastifyInstance, type FastifyRequest } from 'fastify';

/** The status of a request whose caller left before the reply was written, as proxies log it. No reply has it. */
export const callerLeft = 499;

/** Is told of a request that has ended: its status, and how many milliseconds it took. */
type EndListener = (request: FastifyRequest, end: { status: number; ms: number }) => void;

declare module 'fastify' {
  interface FastifyInstance {
    /** Calls back when a request has ended, whatever answered it. */
    onEnd: (listener: EndListener) => void;
  }
}

/**
 * Gives the server `onEnd`. A request has ended when its reply was written or its caller has left: Fastify's own hook tells
 * only of the former, and time-outs of callers, the first sign of slowness, would be seen nowhere. To be called before any
 * hook that may refuse a request.
 */
export function tellEnds(app: FastifyInstance): void {
  const listeners: EndListener[] = [];
  app.decorate('onEnd', (listener: EndListener) => void listeners.push(listener));
  app.addHook('onRequest', (request, reply, done) => {
    reply.raw.once('close', () => {
      const status = reply.raw.writableFinished ? reply.statusCode : callerLeft;
      for (const listener of listeners) listener(request, { status, ms: reply.elapsedTime });
    });
    done();
  });
}
