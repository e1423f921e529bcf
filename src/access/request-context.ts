import { type FastifyRequest } from 'fastify';
import { type IMiddlewareFunction } from 'graphql-middleware';
import { AnswerBudget } from '../content/answer-budget.js';
import { type UpdateArguments } from '../content/field.types.js';
import { type Language } from '../errors/catalogue.js';
import { type DomainError, unauthorized } from '../errors/domain-error.js';
import { type FieldFault } from '../errors/field-fault.js';
import { preferredLanguage } from '../errors/language.js';
import { type KeyedCall } from '../history/history-entry.js';
import { type UpdateControl } from '../history/update-control.js';
import { type Operation, operations, type RootField } from '../operations.js';
import { type Caller } from './caller.js';
import { type QuotaBucketType } from './viewer.types.js';

/** A quota's bucket as a request left it (Contract 8.2). */
export type BucketState = Omit<QuotaBucketType, 'name'>;

/** Everything that a request carries besides its input, the same over either API. */
export interface RequestContext {
  requestId: string;
  transport: 'graphql' | 'rest';
  /** Null when the request has no token. */
  caller: Caller | null;
  /** Counts a refusal for lack of authority, once a request. An error that it answers replaces the refusal (Contract 8.3). */
  countFailure: () => DomainError | null;
  language: Language;
  /** What the API found wrong with single fields while it read the body. */
  readFaults: readonly FieldFault[];
  /** Fields of the body that are not documented, as they were spelled; only REST lets them pass (Contract 4.3.4). */
  unknownFields: readonly string[];
  /** Each bucket that the request has used so far, by its name. */
  buckets: Map<string, BucketState>;
  /** How much all records of the answer may have together. */
  budget: AnswerBudget;
  /** Whether the answer is that of an earlier call with the same idempotency key. */
  isReplayed?: boolean;
  /** The call of the field under way, where it has an idempotency key. */
  call?: KeyedCall;
}

/** What stands around the resolver of a root field. */
export type Middleware = Exclude<IMiddlewareFunction<unknown, RequestContext>, { resolve?: unknown }>;

/**
 * The caller of a root field that a rule guards, with those roles alone that its row names: what another role reaches is not for it
 * (Contract 5.6). @throws DomainError unauthorized-limitation without a caller
 */
export function callerOf(context: RequestContext, field: RootField): Caller {
  const caller = authenticated(context);
  const { roles: accepted }: Operation = operations[field];
  const roles = accepted && [...caller.roles].filter((role) => accepted[role]);
  return roles && roles.length < caller.roles.size ? { ...caller, roles: new Set(roles) } : caller;
}

/** Whose quota, logos and history a call is counted in. @throws DomainError unauthorized-limitation without a caller */
export const subjectOf = (context: RequestContext): string => authenticated(context).subject;

function authenticated({ caller }: RequestContext): Caller {
  if (!caller) throw unauthorized({ reason: 'no-token' });
  return caller;
}

/** The bucket that has the fewest units left of those that the request used (Contract 8.2.4). */
export const tightestBucket = ({ buckets }: RequestContext): BucketState | undefined =>
  [...buckets.values()].sort((one, other) => one.remaining - other.remaining)[0];

/** Headers of any call: the tightest bucket that it used (Contract 8.2.4), and whether its answer is an earlier one (9.3.1). */
export function replyHeaders(context: RequestContext): Record<string, string> {
  const bucket = tightestBucket(context);
  return {
    ...(bucket && {
      'ratelimit-limit': String(bucket.limit),
      'ratelimit-remaining': String(bucket.remaining),
      'ratelimit-reset': String(bucket.resetSeconds),
    }),
    ...(context.isReplayed && { 'idempotency-replayed': 'true' }),
  };
}

/** The same bucket for the `extensions` of a GraphQL reply; undefined if the call used none (Contract 8.2.4). */
export function replyExtensions(context: RequestContext): { rateLimit: BucketState } | undefined {
  const rateLimit = tightestBucket(context);
  return rateLimit && { rateLimit };
}

/** What a service is told about an update besides its input. */
export const controlOf = (
  context: RequestContext,
  { expectedVersion, dryRun }: UpdateArguments,
): UpdateControl => ({
  origin: {
    actor: subjectOf(context),
    transport: context.transport,
    requestId: context.requestId,
  },
  readFaults: context.readFaults,
  expectedVersion,
  isDryRun: dryRun,
  call: context.call,
});

/** What an API found while it read a body: what was wrong with single fields, and fields that are not documented. */
export interface Reading {
  faults?: readonly FieldFault[];
  unknownFields?: readonly string[];
}

/** The context of a request's operations, made alike for both APIs. */
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
