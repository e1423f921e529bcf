import { type FastifyRequest } from 'fastify';
import { type GraphQLFieldResolver, type GraphQLResolveInfo } from 'graphql';
import Negotiator from 'negotiator';
import { ReplyBudget } from '../paging/reply-budget.js';
import { type UpdateArguments } from '../fields/field.graphql.js';
import { type ErrorCode, type Language, languages } from '../errors/catalogue.js';
import { type FieldFault } from '../errors/field-fault.js';
import { type DomainError, unauthorized } from '../errors/domain-error.js';
import { type MutationControl } from '../history/versioned-records.js';
import { type KeyedCall } from '../idempotency/keyed-call.js';
import { type Bucket, type Operation, operations, type RootFieldName } from '../operations.js';
import { type Caller } from '../tokens/caller.js';
import { type MayUpdate, reachesRecord } from './reach.rules.js';

export interface BucketState {
  limit: number;
  remaining: number;
  resetSeconds: number;
}

export type NamedBucket = BucketState & { name: Bucket };

/** `units` is what the request costs of the bucket. */
export type UsedBucket = BucketState & { units: number };

export type Units = Readonly<Partial<Record<Bucket, number>>>;

/** The price of an operation, by its document and variables alone. */
export interface Price {
  complexity: number;
  /** In the order of the document. */
  mutations: readonly { field: RootFieldName; isDryRun: boolean }[];
}

/** The price of a request, and the units that it has spent. */
export class OperationCost {
  /** Null until the operation is known. */
  price: Price | null = null;
  /** The state of each bucket once the operation's units are spent; fails if a quota refuses them. */
  charge: Promise<readonly NamedBucket[]> | undefined;
  /** The buckets that the request has used, or those that refused it. */
  readonly used = new Map<Bucket, UsedBucket>();
}

/** The request's work as the log shows it, filled in while the request runs. */
export class RequestWork {
  /** The name of a GraphQL operation. */
  operation: string | undefined;
  /** The root fields that have run. */
  readonly fields = new Set<string>();
  /** The first error that the caller is told. */
  code: ErrorCode | undefined;
}

/** The context of a request, the same for both APIs. */
export interface RequestContext {
  requestId: string;
  api: 'graphql' | 'rest';
  /** Null without a token, and on paths that need none. */
  caller: Caller | null;
  /** Null if it is not known. */
  address: string | null;
  language: Language;
  /** Undocumented fields that REST ignores, as the caller spelled them. */
  unknownFields: readonly string[];
  /** The faults of values that REST could not parse, and GraphQL therefore does not get, in the order in which they are reported. */
  parseFaults: readonly FieldFault[];
  /** The record must have one of these versions. Over GraphQL an argument says so. */
  expectedVersions?: readonly number[] | undefined;
  work: RequestWork;
  cost: OperationCost;
  budget: ReplyBudget;
  /** Whether the reply repeats the reply to an earlier call with the same idempotency key. */
  isReplayed?: boolean;
  /**
   * Whether the GraphQL reply is final, which it is not if Apollo Server rejects a request before it calls a plugin. An object, because
   * Apollo Server copies the context.
   */
  reply: { isFormatted: boolean };
  /** The current field's call, if it has an idempotency key. */
  call?: KeyedCall;
}

type Resolver = GraphQLFieldResolver<unknown, RequestContext>;

/** A step of a call on the way to its resolver. `next` is the next stage or, in the last stage, the resolver. */
export type Stage = (
  next: Resolver,
  parent: unknown,
  args: Parameters<Resolver>[1],
  context: RequestContext,
  info: GraphQLResolveInfo,
) => unknown;

/**
 * The caller, with only the roles that the field accepts: other roles must not add reach.
 * @throws DomainError unauthorized-limitation without a caller
 */
export function callerOf(context: RequestContext, field: RootFieldName): Caller {
  const caller = authenticated(context);
  const { roles: accepted }: Operation = operations[field];
  const roles = accepted && [...caller.roles].filter((role) => accepted[role]);
  return roles && roles.length < caller.roles.size ? { ...caller, roles: new Set(roles) } : caller;
}

/** @throws DomainError unauthorized-limitation without a caller */
export const requireSubject = (context: RequestContext): string => authenticated(context).subject;

function authenticated({ caller }: RequestContext): Caller {
  if (!caller) throw unauthorized({ reason: 'token_missing' });
  return caller;
}

type Authority = Pick<Operation, 'roles' | 'scopes'>;

/** The refusal of a caller that lacks a token, role or scope. */
export function lackOf(caller: Caller | null, { roles, scopes }: Authority): DomainError | undefined {
  if (!caller) return unauthorized({ reason: 'token_missing' });
  if (roles && ![...caller.roles].some((role) => roles[role]))
    return unauthorized({ reason: 'role_missing' });
  if (scopes && !scopes.some((scope) => caller.scopes.has(scope)))
    return unauthorized({ reason: 'scope_missing', scope: scopes[0] });
  return undefined;
}

/** Whether an update by the caller would pass the checks of role, scope and reach. */
export const mayUpdate =
  (context: RequestContext): MayUpdate =>
  (field, mediaPublicId, record) =>
    !lackOf(context.caller, operations[field]) &&
    reachesRecord(callerOf(context, field), mediaPublicId, record);

export const controlOf = (
  context: RequestContext,
  { expectedVersion, dryRun }: Partial<UpdateArguments>,
): MutationControl => ({
  origin: { actor: requireSubject(context), transport: context.api, requestId: context.requestId },
  expectedVersions: context.expectedVersions ?? (expectedVersion == null ? undefined : [expectedVersion]),
  isDryRun: dryRun,
  call: context.call,
  parseFaults: context.parseFaults,
});

/** English first, for callers who prefer neither. */
const offered: readonly Language[] = [...new Set<Language>(['en', ...languages])];

/** The language that `Accept-Language` prefers (RFC 9110, 12.5.4), also in the form `fr_FR`. Default: English. */
export function preferredLanguage(header: string | undefined): Language {
  const negotiator = new Negotiator({ headers: { 'accept-language': header?.replaceAll('_', '-') } });
  return (negotiator.language([...offered]) as Language | undefined) ?? 'en';
}

export const contextOf = (
  request: FastifyRequest,
  api: RequestContext['api'],
  {
    unknownFields = [],
    parseFaults = [],
  }: Partial<Pick<RequestContext, 'unknownFields' | 'parseFaults'>> = {},
): RequestContext => ({
  requestId: request.id,
  api,
  caller: request.caller,
  address: request.address,
  language: preferredLanguage(request.headers['accept-language']),
  unknownFields,
  parseFaults,
  work: request.work,
  cost: request.cost,
  budget: new ReplyBudget(request.caller?.subject),
  reply: { isFormatted: false },
});
