import { type FastifyInstance } from 'fastify';
import { type Server } from 'node:http';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

const pollMs = 50;
/**
 * Silent connections are cut only after so many looks in a row found nothing under way, since one may just have been
 * opened.
 */
const quietPolls = 3;
/**
 * The listener closes after a turn so short that hardly any connection can have come; if none is in time, after any
 * turn.
 */
const longestWaitMs = 1_000;
const shortTurnMs = 0.5;

/** How a process stops, in milliseconds. Service managers must wait longer than the two together before they kill. */
export const shutdownTimes = {
  /** It still takes connections for so long, so that load balancers see first that it is not ready. */
  delayMs: 500,
  /** Requests and tasks under way may then take so long to finish. */
  timeoutMs: 10_000,
};

/** How the HTTP server ends: without failing a request that it has taken (Contract 11.4). */
interface Draining {
  /** From now on every reply tells its sender to leave the connection. */
  begin(): void;
  /**
   * Still takes connections for `delayMs` if there are any, then no more; returns when the requests under way are
   * answered, or `timeoutMs` later, when it cuts them off.
   * @returns how many it cut off
   */
  finish(times: { delayMs: number; timeoutMs: number }): Promise<number>;
}

/** Prepares the end of a server, and counts the requests under way. To be called before its routes are made. */
export function prepareDraining(app: FastifyInstance, underWay: { requests: number }): Draining {
  const { server } = app;
  let isDraining = false;
  server.on('request', (_request, response) => {
    underWay.requests += 1;
    // A request whose sender leaves gets no reply, but it ends too.
    response.once('close', () => (underWay.requests -= 1));
  });
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (isDraining) void reply.header('connection', 'close');
    done(null, payload);
  });

  const begin = () => {
    isDraining = true;
  };
  return {
    begin,
    finish: async ({ delayMs, timeoutMs }) => {
      begin();
      const countConnections = promisify(server.getConnections.bind(server));
      if ((await countConnections()) > 0) await sleep(delayMs);
      await takeWhoWaits(server, timeoutMs);
      server.close();
      const closed = app.close();
      const deadlineMs = performance.now() + timeoutMs;
      for (let quiet = 0; quiet < quietPolls && performance.now() < deadlineMs;) {
        if ((await countConnections()) === 0) break;
        await sleep(pollMs);
        quiet = underWay.requests === 0 ? quiet + 1 : 0;
      }
      const cutOff = underWay.requests;
      server.closeAllConnections();
      await closed;
      return cutOff;
    },
  };
}

/**
 * Returns when no connection is waiting to be taken, since closing would reset those that are. Each turn of the event
 * loop takes only one, so under load some always wait unless they are let in first, and during a long turn more come.
 */
async function takeWhoWaits(server: Server, timeoutMs: number): Promise<void> {
  const beganMs = performance.now();
  const isLate = (ms: number) => performance.now() - beganMs > ms;
  let hasTaken = true;
  let turnMs = 0;
  const note = () => (hasTaken = true);
  server.on('connection', note);
  while ((hasTaken || (turnMs > shortTurnMs && !isLate(longestWaitMs))) && !isLate(timeoutMs)) {
    hasTaken = false;
    const startedMs = performance.now();
    await nextTurn();
    turnMs = performance.now() - startedMs;
  }
  server.off('connection', note);
}
