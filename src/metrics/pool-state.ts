import { type MongoClient } from 'mongodb';

/** What a pool of connections is doing at this moment. */
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
 * Follows the driver's pool events, from a moment on at which no connection is in use.
 * @returns asked in no time, at any time; over every server that the client talks to
 */
export function watchPool(client: MongoClient): () => PoolState {
  // By server; connections opened before this listened are known from their first use on.
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
