import { type MongoClient } from 'mongodb';
import { type Task } from '../archiver/task.js';
import { type Metrics, type PoolState } from './metrics.js';

/** All other methods share one label, because callers can invent methods. */
const methods = new Set(['GET', 'HEAD', 'POST', 'PATCH', 'OPTIONS']);

/** The route is the pattern, never the path that the caller sent. */
export const measureRequest =
  ({ requests }: Metrics) =>
  (
    { method, route = 'none' }: { method: string | undefined; route: string | undefined },
    { status, ms }: { status: number; ms: number },
  ): void => {
    const known = method !== undefined && methods.has(method) ? method : 'other';
    requests.observe({ method: known, route, status }, ms / 1_000);
  };

/** All counters start at 0, or Prometheus would miss the first increase. */
export function measureTask(
  task: Task,
  { taskRuns, taskSkips, taskSucceeded }: Pick<Metrics, 'taskRuns' | 'taskSkips' | 'taskSucceeded'>,
): Task {
  for (const outcome of ['succeeded', 'failed']) taskRuns.inc({ task: task.name, outcome }, 0);
  taskSkips.inc({ task: task.name }, 0);
  return {
    ...task,
    run: async (control) => {
      let outcome = 'failed';
      try {
        const skip: typeof control.skip = (...skipped) => {
          taskSkips.inc({ task: task.name });
          control.skip(...skipped);
        };
        const isComplete = await task.run({ ...control, skip });
        outcome = 'succeeded';
        taskSucceeded.set({ task: task.name }, Date.now() / 1_000);
        return isComplete;
      } finally {
        taskRuns.inc({ task: task.name, outcome });
      }
    },
  };
}

interface Connected {
  address: string;
  connectionId: unknown;
}

/** Counts a client's connections, summed over all servers. Call this on a connected client, before any connection is in use. */
export function watchPool(client: MongoClient): () => PoolState {
  // By server. Connections opened before we listened are added at their first use.
  const open = new Map<string, Set<unknown>>();
  let inUse = 0;
  let waiting = 0;
  const noteOpen = ({ address, connectionId }: Connected) => {
    const ids = open.get(address);
    if (ids) ids.add(connectionId);
    else open.set(address, new Set([connectionId]));
  };
  client.on('connectionReady', noteOpen);
  client.on('connectionClosed', ({ address, connectionId }) => open.get(address)?.delete(connectionId));
  client.on('connectionCheckOutStarted', () => (waiting += 1));
  client.on('connectionCheckOutFailed', () => (waiting -= 1));
  client.on('connectionCheckedOut', (event) => {
    waiting -= 1;
    inUse += 1;
    noteOpen(event);
  });
  client.on('connectionCheckedIn', () => (inUse -= 1));
  countSelecting(client, (change) => (waiting += change));
  return () => {
    const all = [...open.values()].reduce((sum, { size }) => sum + size, 0);
    return { inUse, idle: all - inUse, waiting };
  };
}

/** The driver has no event for operations that wait for a server, but each operation calls `selectServer`. */
function countSelecting(client: MongoClient, add: (change: number) => void): void {
  const { topology } = client as unknown as {
    topology?: { selectServer(...args: unknown[]): Promise<unknown> };
  };
  if (!topology) return;
  const selectServer = topology.selectServer.bind(topology);
  topology.selectServer = (...args) => {
    add(1);
    return selectServer(...args).finally(() => add(-1));
  };
}
