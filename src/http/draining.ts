import { type FastifyInstance } from 'fastify';
import { type Server } from 'node:http';
import { Server as Listener } from 'node:net';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

const pollMs = 50;
/** In ms. After a turn of the event loop this short, a waiting connection is very unlikely. */
const shortTurnMs = 0.5;
/** How long to wait for a short turn, in ms. */
const longestWaitMs = 1_000;

/**
 * In ms. `drain` takes at most `delayMs` + `timeoutMs`. `main.ts` exits at most 5 s after that, so at most 15.5 s after the signal.
 * Service managers must wait longer before they kill the process.
 */
export const shutdownTimes = {
  /** The server accepts connections for this long, so that load balancers see that the process is not ready. */
  delayMs: 500,
  /**
   * Once the listener is closed, the server cuts all connections after this long without a request. Proxies must close idle connections
   * sooner, or a request sent during the cut fails.
   */
  idleMs: 1_500,
  /** The limit for requests, and for tasks. Accepting waiting connections takes at most half of it. */
  timeoutMs: 10_000,
};

/**
 * Stops the server, and lets accepted requests finish within the limits:
 * 1. Accepts connections for `delayMs`.
 * 2. Accepts waiting connections, for at most half of `timeoutMs`, and closes the listener.
 * 3. Waits until all connections are closed or no reply has run for `idleMs`, at most until `timeoutMs` after step 1.
 * 4. Cuts off running replies.
 *
 * Replies have `Connection: close` only once the listener is closed. If they had it earlier, a proxy would open new connections, which
 * the system resets while the listener closes.
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
  const deadlineMs = performance.now() + timeoutMs;
  await acceptWaitingConnections(server, timeoutMs / 2);
  // Call the TCP server's `close`: the HTTP server's `close` also cuts idle connections.
  Listener.prototype.close.call(server);
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
 * Returns when no connection is waiting to be accepted, or after `timeoutMs`: closing the listener resets waiting connections. Each
 * turn of the event loop accepts only one, and more can arrive during a long turn, so this waits for a short turn without a connection.
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
