import { type FastifyInstance } from 'fastify';
import { type Server } from 'node:http';
import { Server as Listener } from 'node:net';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

const pollMs = 50;
/** In ms. After a turn of the event loop this short, almost no connection can be waiting, so the listener can close. */
const shortTurnMs = 0.5;
/** How long to wait for a short turn before the listener closes anyway, in ms. */
const longestWaitMs = 1_000;

/**
 * The phases of a stop, in ms. If clients keep connecting, `drain` can take `delayMs` plus twice `timeoutMs`. `main.ts` exits
 * earlier, after `delayMs` + `timeoutMs` + 5 s: 15.5 s after the signal. Service managers must wait longer before they kill.
 */
export const shutdownTimes = {
  /** Keeps accepting connections for this long, so that load balancers first see that the process is not ready. */
  delayMs: 500,
  /**
   * Then cuts open connections after this long without a request. Proxies must close idle connections sooner, because a request
   * that a proxy sends during the cut fails.
   */
  idleMs: 1_500,
  /**
   * The time limit for accepting the waiting connections, and a second time for finishing the running requests. Tasks have it
   * only once, from the start of the stop.
   */
  timeoutMs: 10_000,
};

/**
 * Stops the server without failing a request that it has accepted (Contract 11.4). Accepts connections for another `delayMs`. Then
 * accepts the connections already waiting, for at most `timeoutMs`, and closes the listener. Waits until all connections are
 * closed, until no reply was running for `idleMs`, or for another `timeoutMs`. Cuts off the replies that still run.
 *
 * Replies have `Connection: close` only once the listener is closed. Sent earlier, it would make a proxy open new connections, and
 * the system resets connections that arrive while the listener closes.
 * @param replies the running replies
 * @returns how many replies were cut off
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
  // Call the TCP server's `close`: the HTTP server's `close` also cuts idle connections.
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
 * Waits until no connection is waiting to be accepted, because closing the listener resets waiting connections. Each turn of the
 * event loop accepts only one connection, and more can arrive during a long turn. Gives up after `timeoutMs`.
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
