import { type MongoServerError } from 'mongodb';
import { DomainError, unavailable } from '../errors/domain-error.js';

/** Driver and Mongoose errors that mean the database did not answer. */
const awayNames = new Set([
  'MongoNetworkError',
  'MongoNetworkTimeoutError',
  'MongoServerSelectionError',
  'MongooseServerSelectionError',
  'MongoOperationTimeoutError',
  'MongoWaitQueueTimeoutError',
  'MongoPoolClearedError',
  'PoolClearedOnNetworkError',
  'MongoPoolClosedError',
  'MongoNotConnectedError',
  'MongoServerClosedError',
  'MongoTopologyClosedError',
  // While servers come and go, the driver can retry with a session that it has ended.
  'MongoExpiredSessionError',
  'MongoClientClosedError',
  // The write is not replicated as requested: a change of primary may undo it.
  'MongoWriteConcernError',
]);

/** Codes of a server that is shutting down or overloaded, or has no primary or majority. */
const notServingCodes = [
  6, 7, 64, 89, 91, 133, 134, 189, 262, 462, 10_058, 10_107, 11_600, 11_602, 13_435, 13_436, 9_001,
];

/** The driver passes these codes on if the connection breaks while the driver writes a command. */
const brokenCodes = ['ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ECONNABORTED'];

const unavailableCodes = new Set<unknown>([...notServingCodes, ...brokenCodes]);

/** MongoDB also puts these labels on errors whose code is not listed here. */
const retryableLabels = ['RetryableWriteError', 'RetryableError', 'SystemOverloadedError'];

/**
 * A working server gave up a command: lock timeout, write conflict, index dropped during the query, not enough cache, killed by an
 * operator, moved to another shard, deadlock in DocumentDB.
 */
const givenUpCodes = new Set<unknown>([24, 112, 175, 365, 11_601, 13_388, 16_908_292]);

/** Whether a command exceeded its `maxTimeMS`. Servers on PostgreSQL pass on its message instead of MongoDB's code. */
export const isTimeOver = (error: unknown): boolean =>
  error instanceof Error &&
  ((error as { code?: unknown }).code === 50 || error.message.includes('statement timeout'));

/** Whether a working server gave up a command, which may have written a part. DocumentDB may pass on only PostgreSQL's message. */
export const isGivenUp = (error: unknown): boolean =>
  error instanceof Error &&
  (isTimeOver(error) ||
    givenUpCodes.has((error as { code?: unknown }).code) ||
    ['deadlock detected', 'tuple concurrently updated'].includes(error.message));

/** Whether a query's hint names an index that the collection lacks, or that the server has not finished building. */
export const isIndexMissing = (error: unknown): boolean =>
  error instanceof Error && (error as { code?: unknown }).code === 2 && /\bhint\b/.test(error.message);

/** Whether the database is temporarily unavailable, or may lose the write. */
export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code, errorLabels = [], errorResponse } = error as Partial<MongoServerError>;
  if (errorLabels.some((label) => retryableLabels.includes(label))) return true;
  // A bulk write error wraps the error that made it fail.
  return (
    isTimeOver(error) ||
    awayNames.has(error.name) ||
    unavailableCodes.has(code) ||
    isDatabaseAway(errorResponse)
  );
}

export const isDuplicateKey = (error: unknown): boolean =>
  (error as { code?: unknown } | null)?.code === 11_000;

/** Masks an unknown error as internal-error, and keeps it as the cause for the log. */
export function toDomainError(error: unknown): DomainError {
  if (error instanceof DomainError) return error;
  if (isGivenUp(error) || isDatabaseAway(error)) return unavailable(error);
  return new DomainError('internal-error', { cause: error });
}
