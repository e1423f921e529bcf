import { type FastifyError, type FastifyRequest } from 'fastify';
import { type ErrorCode } from '../errors/catalogue.js';
import { DomainError, tooLarge } from '../errors/domain-error.js';
import { toDomainError } from '../database/mask-error.js';

const frameworkCodes: Record<number, ErrorCode> = {
  412: 'version-conflict',
  415: 'content-type-not-supported',
};

/** The catalogue's error for an error that a hook, a parser or a handler threw. */
export function requestError(error: unknown, request: Pick<FastifyRequest, 'routeOptions'>): DomainError {
  const { statusCode = 500, code, message } = (error ?? {}) as Partial<FastifyError>;
  if (statusCode === 413) return tooLarge(request.routeOptions.bodyLimit, undefined, { cause: error });
  // ECONNRESET alone could also be a lost database connection.
  const hasLeft = code === 'ECONNRESET' && message === 'aborted';
  const isRefusal = statusCode >= 400 && statusCode < 500;
  if (!hasLeft && !isRefusal) return toDomainError(error);
  return new DomainError(frameworkCodes[statusCode] ?? 'body-format-error', { cause: error });
}
