import { type FastifyRequest } from 'fastify';
import { type RequestContext } from '../access/request-context.js';
import { AnswerBudget } from '../content/answer-budget.js';
import { type FieldFault } from '../errors/field-fault.js';
import { preferredLanguage } from '../errors/language.js';

/** What a door found while it read a body: what was wrong with single fields, and fields that are not documented. */
export interface Reading {
  faults?: readonly FieldFault[];
  unknownFields?: readonly string[];
}

/** The context of a request's operations, made alike for both doors. */
export const contextOf = (
  request: FastifyRequest,
  transport: RequestContext['transport'],
  { faults = [], unknownFields = [] }: Reading = {},
): RequestContext => ({
  requestId: request.id,
  transport,
  caller: request.caller,
  countFailure: request.countFailure,
  language: preferredLanguage(request.headers['accept-language']),
  readFaults: faults,
  unknownFields,
  buckets: new Map(),
  budget: new AnswerBudget(),
});
