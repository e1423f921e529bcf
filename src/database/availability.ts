import { type MongoClient } from 'mongodb';
import { messageOf } from '../errors/message-of.js';

/** Why the database is known to be away, null while it is not. */
export type AwayReason = string | null;

/**
 * How long a heartbeat may take, in ms: a third of what an operator lets one answer take, and at least 700 ms. A longer one fails
 * the requests under way.
 */
export const heartbeatTimeoutMs = (databaseTimeoutMs: number): number =>
  Math.max(700, Math.round(databaseTimeoutMs / 3));

/** The reason of an outage by an error of the driver. If an answer took too long, it names the bound. */
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

/**
 * Watches whether the database is away: from the moment when no server takes writes and a heartbeat has failed until one takes
 * writes. A connection that merely broke is not enough.
 * @param onChange called with the reason when the database goes away, and with null when it is back
 * @returns the present reason, without asking the database
 */
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
    // A server that left a replica set sends no more heartbeats.
    for (const address of failures.keys()) if (!servers.has(address)) failures.delete(address);
    settle();
  });
  return () => reason;
}
