import { type MongoClient } from 'mongodb';

/** The state of a pool of connections. */
export interface PoolState {
  inUse: number;
  idle: number;
  /** Operations that wait for a connection, or for a server that can take them. */
  waiting: number;
}

interface Connected {
  address: string;
  connectionId: unknown;
}

/**
 * Counts connections by the driver's pool events, and as waiting also the operations that no server can take yet. To be called on
 * a client that has connected, before any connection is in use. @returns a sum over all servers
 */
export function watchPool(client: MongoClient): () => PoolState {
  // Ids by server. A connection that was opened before we listened is added at its first use.
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

/** The driver has no event for an operation that waits for a server. It asks its topology for one, for each operation. */
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
