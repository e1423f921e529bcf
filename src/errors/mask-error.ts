import { type MongoServerError } from 'mongodb';
import { DomainError, unavailable } from './domain-error.js';

/** The database did not answer, by the names of the driver's and Mongoose's errors. */
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
  'MongoClientClosedError',
  // Made, but not as safely as was asked: a change of primary may still undo it.
  'MongoWriteConcernError',
]);

/** It answered that it cannot serve: shutting down, overloaded, no primary or majority that it knows, or past its time limit. */
const notServingCodes = [
  6, 7, 50, 64, 89, 91, 133, 134, 189, 262, 462, 10_058, 10_107, 11_600, 11_602, 13_435, 13_436, 9_001,
];

/** A connection broke while a command was written to it: the driver hands on the socket's own error. */
const brokenCodes = ['ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ECONNABORTED'];

const unavailableCodes = new Set<unknown>([...notServingCodes, ...brokenCodes]);

/** What MongoDB itself says of an answer after which the same may be sent again, whether or not its code is known here. */
const retryableLabels = ['RetryableWriteError', 'RetryableError', 'SystemOverloadedError'];

/**
 * It serves, but gave the command up: for a lock that others hold (24), another write (112), too little room in its cache (365),
 * an operator who ended it (11601) or records that move to another shard (13388).
 */
const givenUpCodes = new Set<unknown>([24, 112, 365, 11_601, 13_388]);

/** Whether an error of the driver says that the database cannot serve for the moment, or may not keep what it was told. */
export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code, errorLabels = [], errorResponse } = error as Partial<MongoServerError>;
  if (errorLabels.some((label) => retryableLabels.includes(label))) return true;
  // The error of a bulk write holds the one that made it fail.
  return awayNames.has(error.name) || unavailableCodes.has(code) || isDatabaseAway(errorResponse);
}

/** Whether a unique index refused a write, since another record has the value already. */
export const isDuplicateKey = (error: unknown): boolean =>
  (error as { code?: unknown } | null)?.code === 11_000;

/** Makes an error of the catalogue of whatever was thrown. An unknown error is masked, and kept as the cause for the log. */
export function toDomainError(error: unknown): DomainError {
  if (error instanceof DomainError) return error;
  const isGivenUp = givenUpCodes.has((error as { code?: unknown } | null)?.code);
  if (isGivenUp || isDatabaseAway(error)) return unavailable(error);
  return new DomainError('internal-error', { cause: error });
}
