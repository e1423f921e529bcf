import { type MongoClient } from 'mongodb';
import { messageWithCauses } from '../errors/messages.js';

/** Why the database is away; null while no outage is known. */
export type AwayReason = string | null;

/** In ms: a third of `databaseTimeoutMs`, but at least 700. When a heartbeat times out, the driver fails the requests in flight. */
export const heartbeatTimeoutMs = (databaseTimeoutMs: number): number =>
  Math.max(700, Math.round(databaseTimeoutMs / 3));

export function outageReason(error: unknown, databaseTimeoutMs: number): string {
  const message = messageWithCauses(error);
  if (/<monitor> .* timed out/.test(message))
    return `the database did not answer a heartbeat within ${heartbeatTimeoutMs(databaseTimeoutMs)} ms`;
  if (/^connection \d+ to .* timed out/.test(message))
    return `the database did not answer within ${databaseTimeoutMs} ms`;
  return message.startsWith('Timed out while checking out a connection')
    ? `no connection to the database was free within ${databaseTimeoutMs} ms`
    : message;
}

/** An outage lasts from when no server accepts writes and a heartbeat has failed, until a server accepts writes again. */
export function watchAvailability(
  client: MongoClient,
  databaseTimeoutMs: number,
  onChange: (reason: AwayReason) => void,
): () => AwayReason {
  const failures = new Map<string, Error>();
  let isWritable = true;
  let reason: AwayReason = null;
  const update = () => {
    const [failure] = failures.values();
    if (isWritable ? reason === null : reason !== null || !failure) return;
    reason = isWritable ? null : outageReason(failure, databaseTimeoutMs);
    onChange(reason);
  };
  client.on('serverHeartbeatFailed', ({ connectionId, failure }) => {
    failures.set(connectionId, failure);
    update();
  });
  client.on('serverHeartbeatSucceeded', ({ connectionId }) => failures.delete(connectionId));
  client.on('topologyDescriptionChanged', ({ newDescription: { servers } }) => {
    isWritable = [...servers.values()].some((server) => server.isWritable);
    // A server that left the replica set gets no heartbeat that would clear its failure.
    for (const address of failures.keys()) if (!servers.has(address)) failures.delete(address);
    update();
  });
  return () => reason;
}

export interface PoolState {
  inUse: number;
  idle: number;
  /** Operations that wait for a connection or an available server. */
  waiting: number;
}

/** Counts a client's connections, summed over all servers. Call this on a connected client, before any connection is in use. */
export function watchPool(client: MongoClient): () => PoolState {
  /** Connections opened before we listened are added at their first use. */
  const open = new Set<string>();
  let inUse = 0;
  let waiting = 0;
  // A server numbers its own connections.
  const nameOf = ({ address, connectionId }: { address: string; connectionId: unknown }) =>
    `${address} ${String(connectionId)}`;
  client.on('connectionReady', (event) => open.add(nameOf(event)));
  client.on('connectionClosed', (event) => open.delete(nameOf(event)));
  client.on('connectionCheckOutStarted', () => (waiting += 1));
  client.on('connectionCheckOutFailed', () => (waiting -= 1));
  client.on('connectionCheckedOut', (event) => {
    waiting -= 1;
    inUse += 1;
    open.add(nameOf(event));
  });
  client.on('connectionCheckedIn', () => (inUse -= 1));
  countSelecting(client, (change) => (waiting += change));
  return () => ({ inUse, idle: open.size - inUse, waiting });
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
