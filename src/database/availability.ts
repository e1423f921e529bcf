import { type MongoClient } from 'mongodb';
import { messageOf } from '../errors/message-of.js';

/** Why the database is away; null while no outage is known. */
export type AwayReason = string | null;

/** In ms: a third of `databaseTimeoutMs`, but at least 700. When a heartbeat times out, the driver fails the requests in flight. */
export const heartbeatTimeoutMs = (databaseTimeoutMs: number): number =>
  Math.max(700, Math.round(databaseTimeoutMs / 3));

export function outageReason(error: unknown, databaseTimeoutMs: number): string {
  const message = messageOf(error);
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
  const settle = () => {
    const [failure] = failures.values();
    if (isWritable ? reason === null : reason !== null || !failure) return;
    reason = isWritable ? null : outageReason(failure, databaseTimeoutMs);
    onChange(reason);
  };
  client.on('serverHeartbeatFailed', ({ connectionId, failure }) => {
    failures.set(connectionId, failure);
    settle();
  });
  client.on('serverHeartbeatSucceeded', ({ connectionId }) => failures.delete(connectionId));
  client.on('topologyDescriptionChanged', ({ newDescription: { servers } }) => {
    isWritable = [...servers.values()].some((server) => server.isWritable);
    // A server that left the replica set gets no heartbeat that would clear its failure.
    for (const address of failures.keys()) if (!servers.has(address)) failures.delete(address);
    settle();
  });
  return () => reason;
}
