import { type MongoClient } from 'mongodb';

/** The state of a pool of connections at this moment. */
export interface PoolState {
  inUse: number;
  idle: number;
  /** Operations that wait for a connection. */
  waiting: number;
}

interface Connected {
  address: string;
  connectionId: unknown;
}

/**
 * Counts connections by the driver's pool events. It must be called before any connection is in use.
 * @returns a function that answers at once, without asking the driver, for all servers of the client together
 */
export function watchPool(client: MongoClient): () => PoolState {
  // One map for each server. A connection that was opened before the first event appears at its first use.
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
  return () => {
    const all = [...open.values()].reduce((sum, { size }) => sum + size, 0);
    return { inUse, idle: all - inUse, waiting };
  };
}
