import { DomainError } from './domain-error.js';

/** The database did not answer, by the names of the driver's and Mongoose's errors. */
const awayNames = new Set([
  'MongoNetworkError',
  'MongoNetworkTimeoutError',
  'MongoServerSelectionError',
  'MongooseServerSelectionError',
  'MongoOperationTimeoutError',
  'MongoWaitQueueTimeoutError',
  'MongoPoolClearedError',
  'MongoPoolClosedError',
  'MongoNotConnectedError',
  'MongoTopologyClosedError',
  'MongoClientClosedError',
]);

export const isDatabaseAway = (error: unknown): boolean =>
  error instanceof Error && awayNames.has(error.name);

/** Any thrown thing as an error of the catalogue; what is not one already is masked, and kept as the cause. */
export function toDomainError(error: unknown): DomainError {
  if (error instanceof DomainError) return error;
  if (isDatabaseAway(error))
    return new DomainError('service-unavailable', { retryAfterSeconds: 1, cause: error });
  return new DomainError('internal-error', { cause: error });
}
