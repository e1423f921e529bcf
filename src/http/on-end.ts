import { type FastifyInstance, type FastifyRequest } from 'fastify';

/** The status of a request whose caller left before the reply was written, as proxies log it. No reply has it. */
export const callerLeft = 499;

/** What is told of a request: only the id of its reply if no route has seen it. */
type EndedRequest = Pick<FastifyRequest, 'id'> & {
  [Known in 'method' | 'originalUrl' | 'routeOptions']?: FastifyRequest[Known];
};

/** Is told of a request that has ended: its status, and how many milliseconds it took. */
type EndListener = (request: EndedRequest, end: { status: number; ms: number }) => void;

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
 * @returns tells the listeners of a request that reached no hook
 */
export function tellEnds(app: FastifyInstance): EndListener {
  const listeners: EndListener[] = [];
  const tell: EndListener = (request, end) => {
    for (const listener of listeners) listener(request, end);
  };
  app.decorate('onEnd', (listener: EndListener) => void listeners.push(listener));
  app.addHook('onRequest', (request, reply, done) => {
    reply.raw.once('close', () => {
      const status = reply.raw.writableFinished ? reply.statusCode : callerLeft;
      tell(request, { status, ms: reply.elapsedTime });
    });
    done();
  });
  return tell;
}
