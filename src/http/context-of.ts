import { type FastifyRequest } from 'fastify';
import { type RequestContext } from '../access/request-context.js';
import { AnswerBudget } from '../content/answer-budget.js';
import { type FieldFault } from '../errors/field-fault.js';
import { preferredLanguage } from './language.js';

/**
 * The context of a request's operations, made alike for both doors.
 * @param readFaults what the door found wrong with single fields while it read the body
 */
export const contextOf = (
  request: FastifyRequest,
  transport: RequestContext['transport'],
  readFaults: readonly FieldFault[] = [],
): RequestContext => ({
  requestId: request.id,
  transport,
  caller: request.caller,
  countFailure: request.countFailure,
  language: preferredLanguage(request.headers['accept-language']),
  readFaults,
  buckets: new Map(),
  budget: new AnswerBudget(),
});
