import { type GraphQLSchema } from 'graphql';
import { rateLimitDirective } from 'graphql-rate-limit-directive';
import { type Db } from 'mongodb';
import { type RateLimiterAbstract } from 'rate-limiter-flexible';
import { catalogue, type LocalisedText } from '../errors/catalogue.js';
import { DomainError } from '../errors/domain-error.js';
import { fieldFault, type FieldFault } from '../errors/field-fault.js';
import { type Bucket, buckets, type Operation, operationsByName } from '../operations.js';
import { type Quota } from '../settings/setting-parsers.js';
import { quotaCollection } from './quota-indexes.js';
import {
  type OperationCost,
  type BucketState,
  type RequestContext,
  type Spent,
  type Stage,
  requireSubject,
  type Units,
  type UsedBucket,
} from '../permissions/request-context.js';
import { SharedLimiter, type Window } from './shared-limiter.js';

// The way of a unit of quota, from top to bottom: measured, spent, given back, shown.

/** One unit of the read quota for each started 1 000 of an operation's complexity. */
const complexityPerUnit = 1_000;

/** The cost of a root field, by its document and variables. */
interface RootFieldCost {
  name: string;
  complexity: number;
  /** The part of the complexity that the pages in the field's selection have. */
  pages: number;
  isDryRun: boolean;
}

/** Root fields by response key, in the order of the document. */
export type RootFieldCosts = ReadonlyMap<string, RootFieldCost>;

interface MeasuredCost {
  complexity: number;
  nestedLists: number;
  roots?: RootFieldCosts | undefined;
}

/** Writes into the cost what the root fields of an operation cost (Contract 8.2.8). */
export function setCost(cost: OperationCost, { complexity, nestedLists, roots }: MeasuredCost): void {
  Object.assign(cost, { complexity, nestedLists });
  let sum = 0;
  for (const [key, root] of roots ?? []) {
    const operation = operationsByName.get(root.name);
    // Introspection has no quota.
    if (!operation) continue;
    cost.isDryRun = root.isDryRun && (cost.isDryRun || cost.open.size === 0);
    const counted = operation.kind === 'query' ? root.complexity : root.pages;
    const raised = Math.ceil((sum + counted) / complexityPerUnit) - Math.ceil(sum / complexityPerUnit);
    sum += counted;
    // A replayed mutation spends nothing else for its pages.
    const read = Math.max(operation.kind === 'mutation' && root.pages > 0 ? 1 : 0, raised);
    cost.open.set(key, unitsOf(operation, root, read));
  }
}

function unitsOf(operation: Operation, { isDryRun }: RootFieldCost, read: number): Units {
  const { kind, bucket, dryRunCost, leastUnits = 0 } = operation;
  if (kind === 'query') return { [bucket]: Math.max(leastUnits, read) };
  const own = (isDryRun && dryRunCost) || { bucket, units: 1 };
  return plus({ [own.bucket]: own.units }, { read });
}

function plus(one: Units, other: Units): Units {
  const sum: Partial<Record<Bucket, number>> = { ...one };
  for (const [bucket, units] of Object.entries(other) as [Bucket, number][])
    sum[bucket] = (sum[bucket] ?? 0) + units;
  return sum;
}

/** The settings override these defaults. */
export const rateLimitSdl = rateLimitDirective({
  defaultLimit: '50',
  defaultDuration: '1',
}).rateLimitDirectiveTypeDefs;

/** A root field that reaches its quota. */
export interface RateLimitKey {
  context: RequestContext;
  /** Its response key. */
  field: string;
}

/** Limits how much a caller may ask for. */
export class Quotas {
  private readonly limiter: SharedLimiter;

  constructor(
    private readonly quotas: Readonly<Record<Bucket, Quota>>,
    database: Db,
    private readonly onRefusal: (bucket: Bucket) => void,
  ) {
    this.limiter = new SharedLimiter(database.collection(quotaCollection));
  }

  /**
   * Lets graphql-rate-limit-directive call `arrive` before the resolver of each field with the directive. The settings set the quotas,
   * whatever the arguments of the directive (Contract 8.2.5).
   */
  charge(schema: GraphQLSchema): GraphQLSchema {
    const consume = this.arrive;
    // The directive calls this function with `new`, and gets the returned object.
    const limiterClass = function () {
      return { consume };
    } as unknown as typeof RateLimiterAbstract;
    const { rateLimitDirectiveTransformer } = rateLimitDirective<RequestContext>({
      // The directive only hands its key to `consume`.
      keyGenerator: (_directive, _source, _args, context, { path }) =>
        ({ context, field: String(path.key) }) satisfies RateLimitKey as unknown as string,
      limiterClass,
    });
    return rateLimitDirectiveTransformer(schema);
  }

  /**
   * The first root field to arrive spends what all root fields of its operation cost, so that the quota refuses the whole operation or
   * nothing of it.
   * @throws DomainError rate-limit-exceeded or validation-failed if the operation is refused; or the driver's error
   */
  readonly arrive = async ({ context, field }: RateLimitKey): Promise<void> => {
    const { cost } = context;
    const due = [...cost.open.values()].reduce(plus, {});
    // No call may run uncounted.
    if (!cost.open.delete(field)) throw new Error(`the cost of ${field} is not known`);
    // Root fields that are refused together get the same error, which the reply tells once.
    cost.charge ??= this.chargeOperation(context, due);
    await cost.charge;
  };

  /**
   * A root field that replays its answer spends what its payload reads beyond the record (Contract 9.3.2). Its other units stay open, to
   * be given back.
   * @throws DomainError like `arrive`
   */
  async arriveReplayed({ context, field }: RateLimitKey): Promise<void> {
    const { cost } = context;
    const { read = 0, ...own } = cost.open.get(field) ?? {};
    cost.open.set(field, own);
    if (read > 0) await (cost.charge ?? this.chargeOperation(context, { read }));
  }

  /** Spends a unit for a request that never reaches a field. @throws DomainError rate-limit-exceeded, or the driver's error */
  async spend(bucket: Bucket, context: RequestContext): Promise<void> {
    await this.spendAll(context, { [bucket]: 1 });
  }

  /**
   * Spends a unit for a rejected request, unless it has spent one (Contract 8.2.6).
   * @returns the error to answer with if the quota is used up
   */
  async spendOnce(bucket: Bucket, context: RequestContext): Promise<DomainError | null> {
    if (context.cost.used.size > 0) return null;
    try {
      await this.spend(bucket, context);
      return null;
    } catch (error) {
      // While the database is away, keep the original refusal.
      return error instanceof DomainError ? error : null;
    }
  }

  private async chargeOperation(context: RequestContext, units: Units): Promise<Spent[]> {
    assertFewLists(context.cost);
    return this.spendAll(context, units);
  }

  /**
   * Spends all the units or none.
   * @throws DomainError rate-limit-exceeded if too few units are left, validation-failed if no bucket ever has enough; the driver's error
   */
  private async spendAll(context: RequestContext, units: Units): Promise<Spent[]> {
    for (const [bucket, amount] of inOrder(units))
      if (amount > this.quotas[bucket].limit) throw tooCostly(bucket, amount, this.quotas[bucket]);
    const spent: Spent[] = [];
    try {
      for (const [bucket, amount] of inOrder(units))
        spent.push({ bucket, expire: await this.spendUnits(context, bucket, amount) });
      return spent;
    } catch (error) {
      await this.giveBack(context, spent, units);
      throw error;
    }
  }

  /** @returns the end of the window */
  private async spendUnits(context: RequestContext, bucket: Bucket, units: number): Promise<Date> {
    const quota = this.quotas[bucket];
    const { used } = context.cost;
    const { missing, ...window } = await this.limiter.spend(keyOf(bucket, context), quota, units);
    const state = stateOf(quota.limit, window);
    // The reply tells the quota that refused the operation.
    if (missing > 0) used.clear();
    used.set(bucket, { ...state, units: units + (used.get(bucket)?.units ?? 0) });
    if (missing === 0) return window.expire;
    this.onRefusal(bucket);
    throw new DomainError('rate-limit-exceeded', {
      retryAfterSeconds: state.resetSeconds,
      hint: {
        en: `the quota is ${missing} ${missing === 1 ? 'unit' : 'units'} short`,
        fr: `il manque ${missing} ${missing === 1 ? 'unité' : 'unités'} au quota`,
      },
    });
  }

  /** Gives back the units of a root field that ends before it reaches the quota. */
  readonly refund: Stage = async (next, parent, args, context, info) => {
    try {
      return await next(parent, args, context, info);
    } finally {
      const { cost } = context;
      const field = String(info.path.key);
      const units = cost.open.get(field);
      cost.open.delete(field);
      const spent = units && (await cost.charge?.catch(() => undefined));
      if (spent) await this.giveBack(context, spent, units);
    }
  };

  /** If this fails, the caller has paid for a call that did not run. */
  private async giveBack(context: RequestContext, spent: readonly Spent[], units: Units): Promise<void> {
    for (const { bucket, expire } of spent) {
      const amount = units[bucket] ?? 0;
      if (amount === 0) continue;
      const quota = this.quotas[bucket];
      const left = await this.limiter
        .giveBack(keyOf(bucket, context), quota, amount, expire)
        .catch(() => null);
      const used = context.cost.used.get(bucket);
      if (left && used)
        context.cost.used.set(bucket, { ...stateOf(quota.limit, left), units: used.units - amount });
    }
  }

  /** Spends no unit. */
  async bucketsOf(context: RequestContext): Promise<({ name: Bucket } & BucketState)[]> {
    return Promise.all(
      (Object.keys(this.quotas) as Bucket[]).map(async (name) => {
        const quota = this.quotas[name];
        const { limit } = quota;
        const window = await this.limiter.find(keyOf(name, context), quota);
        return { name, ...(window ? stateOf(limit, window) : { limit, remaining: limit, resetSeconds: 0 }) };
      }),
    );
  }
}

function tooCostly(bucket: Bucket, units: number, { limit }: Quota): DomainError {
  const hint = {
    en: `the operation costs ${units} units of the quota ${bucket}, which has only ${limit}: split it into several operations`,
    fr: `l’opération coûte ${units} unités du quota ${bucket}, qui n’en a que ${limit} : répartissez-la en plusieurs opérations`,
  };
  return costFault(
    fieldFault.tooMany('cost', limit, { en: 'units', fr: 'unités', parameter: 'maximumUnits' }),
    hint,
  );
}

/** Each is a command of the database, and one caller must not send it many at once (Contract 8.4.13). */
export const mostNestedLists = 10;

function assertFewLists({ nestedLists: count }: Pick<OperationCost, 'nestedLists'>): void {
  if (count <= mostNestedLists) return;
  const hint = {
    en: `the operation can read ${count} lists within records, and ${mostNestedLists} are allowed: ask for smaller pages around them`,
    fr: `l’opération peut lire ${count} listes dans des enregistrements, et ${mostNestedLists} sont permises : demandez de plus petites pages autour d’elles`,
  };
  const unit = {
    en: 'lists within records',
    fr: 'listes dans des enregistrements',
    parameter: 'maximumLists',
  };
  throw costFault(fieldFault.tooMany('cost', mostNestedLists, unit), hint);
}

/** @param hint over GraphQL it is the whole message, because no field is at fault */
function costFault(fault: FieldFault, hint: LocalisedText): DomainError {
  const sentence = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
  const graphqlMessage = { en: sentence(hint.en), fr: sentence(hint.fr) };
  return new DomainError('validation-failed', {
    faults: [{ ...fault, isArgument: true, path: [] }],
    hint,
    graphqlMessage,
  });
}

const inOrder = (units: Units): [Bucket, number][] =>
  (Object.keys(buckets) as Bucket[]).flatMap((bucket) => (units[bucket] ? [[bucket, units[bucket]]] : []));

/** Whether a refusal counts as a call. Refusals for lack of authority or quota are counted elsewhere. */
export const isCounted = ({ code }: DomainError): boolean =>
  catalogue[code].status < 500 && code !== 'unauthorized-limitation' && code !== 'rate-limit-exceeded';

const keyOf = (bucket: Bucket, context: RequestContext): string => `${bucket}:${requireSubject(context)}`;

const stateOf = (limit: number, { remaining, endsAtMs }: Window): BucketState => ({
  limit,
  remaining,
  resetSeconds: Math.max(1, Math.ceil((endsAtMs - performance.now()) / 1_000)),
});

/** The used bucket with the fewest units left (Contract 8.2.4). */
export const tightestBucket = ({ used }: Pick<OperationCost, 'used'>): UsedBucket | undefined =>
  [...used.values()].sort((one, other) => one.remaining - other.remaining)[0];

/** Headers of every reply (Contract 8.2.9). */
export function replyHeaders({ cost, isReplayed }: RequestContext): Record<string, string> {
  const bucket = tightestBucket(cost);
  // Undefined if the request never became an operation and used no bucket.
  const units = bucket?.units ?? (cost.complexity === null ? undefined : 0);
  return {
    ...(bucket && {
      'ratelimit-limit': String(bucket.limit),
      'ratelimit-remaining': String(bucket.remaining),
      'ratelimit-reset': String(bucket.resetSeconds),
    }),
    ...(units !== undefined && { 'ratelimit-cost': String(units) }),
    ...(isReplayed && { 'idempotency-replayed': 'true' }),
  };
}

/** For the `extensions` of a GraphQL reply (Contract 9.4). */
export function replyExtensions({
  cost,
}: RequestContext):
  { rateLimit?: BucketState; cost?: { complexity: number; units: number }; dryRun?: true } | undefined {
  const { complexity, isDryRun } = cost;
  const { units = 0, ...rateLimit } = tightestBucket(cost) ?? {};
  const extensions = {
    ...('limit' in rateLimit && { rateLimit }),
    ...(complexity !== null && { cost: { complexity, units } }),
    ...(isDryRun && { dryRun: true as const }),
  };
  return Object.keys(extensions).length > 0 ? extensions : undefined;
}
