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
 * Follows the driver's pool events.
 * @returns asked in no time, at any time; over every server that the client talks to
 */
export function watchPool(client: MongoClient): () => PoolState {
  // Connections by name, not by count: those opened before this listened are known from their first use on.
  const open = new Set<string>();
  const inUse = new Set<string>();
  let waiting = 0;
  const nameOf = ({ address, connectionId }: Connected) => `${address} ${String(connectionId)}`;
  client.on('connectionReady', (event) => open.add(nameOf(event)));
  client.on('connectionClosed', (event) => {
    open.delete(nameOf(event));
    inUse.delete(nameOf(event));
  });
  client.on('connectionCheckOutStarted', () => (waiting += 1));
  client.on('connectionCheckOutFailed', () => (waiting = Math.max(0, waiting - 1)));
  client.on('connectionCheckedOut', (event) => {
    waiting = Math.max(0, waiting - 1);
    open.add(nameOf(event));
    inUse.add(nameOf(event));
  });
  client.on('connectionCheckedIn', (event) => inUse.delete(nameOf(event)));
  return () => ({ inUse: inUse.size, idle: open.size - inUse.size, waiting });
}
