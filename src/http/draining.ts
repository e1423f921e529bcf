import { type FastifyInstance } from 'fastify';
import { type Server } from 'node:http';
import { Server as Listener } from 'node:net';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

const pollMs = 50;
/** In so short a turn of the event loop hardly any connection comes, so that the listener closes after one. */
const shortTurnMs = 0.5;
/** For how long such a turn is waited for. The listener closes after any turn then. */
const longestWaitMs = 1_000;

/** How a process stops, in milliseconds. Service managers must wait longer than the two together before they kill. */
export const shutdownTimes = {
  /** It still takes connections for so long, so that load balancers see first that it is not ready. */
  delayMs: 500,
  /**
   * Connections that are open then may carry one request more. They are cut after so long without one: later than a proxy
   * gives up an idle one, since a request that the proxy sends as it is cut would fail.
   */
  idleMs: 1_500,
  /** Requests and tasks under way may then take so long to finish. */
  timeoutMs: 10_000,
};

/**
 * Ends the server without failing a request that it has taken (Contract 11.4). It still takes connections for `delayMs`, then
 * no more; from then on every reply tells its sender to leave its connection. Returns when all have left, when no reply was
 * under way for `idleMs`, or after `timeoutMs`, when it cuts off those under way.
 *
 * Replies say nothing before: a proxy that keeps its connections opens hardly any new ones, of which the system would reset
 * those that come as the listener closes.
 * @param replies those under way
 * @returns how many were cut off
 */
export async function drain(
  app: FastifyInstance,
  replies: ReadonlySet<unknown>,
  { delayMs, idleMs, timeoutMs }: typeof shutdownTimes,
): Promise<number> {
  const { server } = app;
  const countConnections = promisify(server.getConnections.bind(server));
  await sleep(delayMs);
  await acceptWaitingConnections(server, timeoutMs);
  // The HTTP server's own method would also cut the connections that are idle.
  Listener.prototype.close.call(server);
  const deadlineMs = performance.now() + timeoutMs;
  let idleAtMs = performance.now() + idleMs;
  while ((await countConnections()) > 0 && performance.now() < Math.min(idleAtMs, deadlineMs)) {
    await sleep(pollMs);
    if (replies.size > 0) idleAtMs = performance.now() + idleMs;
  }
  const cutOff = replies.size;
  const closed = app.close();
  server.closeAllConnections();
  await closed;
  return cutOff;
}

/**
 * Returns when no connection is waiting to be taken, since closing would reset those that are. Each turn of the event
 * loop takes only one, so under load some always wait unless they are let in first, and during a long turn more come.
 */
async function acceptWaitingConnections(server: Server, timeoutMs: number): Promise<void> {
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
