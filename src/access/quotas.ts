import { MapperKind, mapSchema } from '@graphql-tools/utils';
import { type GraphQLObjectType, type GraphQLSchema } from 'graphql';
import { rateLimitDirective } from 'graphql-rate-limit-directive';
import { type Db } from 'mongodb';
import { type RateLimiterAbstract } from 'rate-limiter-flexible';
import { catalogue, type LocalisedText } from '../errors/catalogue.js';
import { DomainError } from '../errors/domain-error.js';
import { fieldFault, type FieldFault } from '../errors/field-fault.js';
import { type Bucket, buckets } from '../operations.js';
import { type Quota } from '../settings/setting-parsers.js';
import { type Bill, type Spent, type Units } from './bill.js';
import { quotaCollection } from './quota-indexes.js';
import { type BucketState, type RequestContext, type Stage, subjectOf } from './request-context.js';
import { SharedLimiter, type Window } from './shared-limiter.js';

/** The settings override these defaults. */
export const rateLimitSdl = rateLimitDirective({
  defaultLimit: '50',
  defaultDuration: '1',
}).rateLimitDirectiveTypeDefs;

/** A root field that reaches its quota. */
export interface Arrival {
  context: RequestContext;
  /** Its response key. */
  field: string;
}

/** Limits how much a caller may ask for (Contract 8.2). */
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
   * The stage of graphql-rate-limit-directive: the first root field to arrive spends what all root fields of its operation cost, so that
   * the quota refuses the whole operation or nothing of it. The quotas are those of the settings, whatever the arguments of the directive
   * (Contract 8.2.5).
   * @param schema with the directives
   */
  charge(schema: GraphQLSchema): Stage {
    const consume = this.arrive;
    // The directive calls this function with `new`, and gets the returned object.
    const limiterClass = function () {
      return { consume };
    } as unknown as typeof RateLimiterAbstract;
    const { rateLimitDirectiveTransformer } = rateLimitDirective<RequestContext>({
      // The directive only hands its key to `consume`.
      keyGenerator: (_directive, _source, _args, context, { path }) =>
        ({ context, field: String(path.key) }) satisfies Arrival as unknown as string,
      limiterClass,
    });
    // The directive guards resolvers. These resolvers go on with the call.
    const limited = rateLimitDirectiveTransformer(
      mapSchema(schema, {
        [MapperKind.ROOT_FIELD]: (field) => ({ ...field, resolve: (goOn: () => unknown) => goOn() }),
      }),
    );
    return (next, parent, args: object, context, info) => {
      const type = limited.getType(info.parentType.name) as GraphQLObjectType<() => unknown, RequestContext>;
      const { resolve } = type.getFields()[info.fieldName] ?? {};
      return resolve?.(() => next(parent, args, context, info), args, context, info);
    };
  }

  /** @throws DomainError rate-limit-exceeded or validation-failed if the operation is refused; or the driver's error */
  readonly arrive = async ({ context, field }: Arrival): Promise<void> => {
    const { bill } = context;
    const due = bill.due();
    // No call may run uncounted.
    if (!bill.take(field)) throw new Error(`the cost of ${field} is not known`);
    // Root fields that are refused together get the same error, which the reply tells once.
    bill.charge ??= this.chargeOperation(context, due);
    await bill.charge;
  };

  /**
   * A root field that replays its answer spends what its payload reads beyond the record (Contract 9.3.2).
   * @throws DomainError like `arrive`
   */
  readonly arriveReplayed = async ({ context, field }: Arrival): Promise<void> => {
    const { bill } = context;
    const read = bill.takeRead(field);
    if (read === 0) return;
    await (bill.charge ?? this.chargeOperation(context, { read }));
  };

  /** Gives back the units of a root field that ends before it reaches the quota (Contract 7.6). */
  readonly refund: Stage = async (next, parent, args, context, info) => {
    try {
      return await next(parent, args, context, info);
    } finally {
      const { bill } = context;
      const units = bill.take(String(info.path.key));
      const spent = units && (await bill.charge?.catch(() => undefined));
      if (spent) await this.giveBack(context, spent, units);
    }
  };

  /** Spends a unit for a request that never reaches a field. @throws DomainError rate-limit-exceeded, or the driver's error */
  readonly spend = async (bucket: Bucket, context: RequestContext): Promise<void> =>
    void (await this.spendAll(context, { [bucket]: 1 }));

  /**
   * Spends a unit for a rejected request, unless it has spent one (Contract 8.2.6).
   * @returns the error to answer with if the quota is used up
   */
  async spendOnce(bucket: Bucket, context: RequestContext): Promise<DomainError | null> {
    if (context.buckets.size > 0) return null;
    try {
      await this.spend(bucket, context);
      return null;
    } catch (error) {
      // While the database is away, keep the original refusal.
      return error instanceof DomainError ? error : null;
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

  private async chargeOperation(context: RequestContext, units: Units): Promise<readonly Spent[]> {
    assertFewLists(context.bill);
    return this.spendAll(context, units);
  }

  /**
   * Spends all the units or none.
   * @throws DomainError rate-limit-exceeded if too few units are left, validation-failed if no bucket ever has enough; the driver's error
   */
  private async spendAll(context: RequestContext, units: Units): Promise<readonly Spent[]> {
    for (const [bucket, amount] of inOrder(units))
      if (amount > this.quotas[bucket].limit) throw tooCostly(bucket, amount, this.quotas[bucket]);
    const spent: Spent[] = [];
    try {
      for (const [bucket, amount] of inOrder(units))
        spent.push({ bucket, window: await this.spendUnits(context, bucket, amount) });
      return spent;
    } catch (error) {
      await this.giveBack(context, spent, units);
      throw error;
    }
  }

  private async spendUnits(context: RequestContext, bucket: Bucket, units: number): Promise<Window> {
    const quota = this.quotas[bucket];
    const { missing, ...window } = await this.limiter.spend(keyOf(bucket, context), quota, units);
    const state = stateOf(quota.limit, window);
    // The reply tells the quota that refused the operation.
    if (missing > 0) context.buckets.clear();
    context.buckets.set(bucket, { ...state, units: units + (context.buckets.get(bucket)?.units ?? 0) });
    if (missing === 0) return window;
    this.onRefusal(bucket);
    throw new DomainError('rate-limit-exceeded', {
      retryAfterSeconds: state.resetSeconds,
      hint: {
        en: `the quota is ${missing} ${missing === 1 ? 'unit' : 'units'} short`,
        fr: `il manque ${missing} ${missing === 1 ? 'unité' : 'unités'} au quota`,
      },
    });
  }

  /** If this fails, the caller has paid for a call that did not run. */
  private async giveBack(context: RequestContext, spent: readonly Spent[], units: Units): Promise<void> {
    for (const { bucket, window } of spent) {
      const amount = units[bucket] ?? 0;
      if (amount === 0) continue;
      const quota = this.quotas[bucket];
      const left = await this.limiter
        .giveBack(keyOf(bucket, context), quota, amount, window)
        .catch(() => null);
      const used = context.buckets.get(bucket);
      if (left && used)
        context.buckets.set(bucket, { ...stateOf(quota.limit, left), units: used.units - amount });
    }
  }
}

function tooCostly(bucket: Bucket, units: number, { limit }: Quota): DomainError {
  const hint = {
    en: `the operation costs ${units} units of the quota ${bucket}, which has only ${limit}: split it into several operations`,
    fr: `l’opération coûte ${units} unités du quota ${bucket}, qui n’en a que ${limit} : répartissez-la en plusieurs opérations`,
  };
  return costFault(fieldFault.tooMany('cost', limit, { en: 'units', fr: 'unités' }), hint);
}

/** Each is a command of the database, and one caller must not send it many at once (Contract 8.4.13). */
export const mostNestedLists = 10;

function assertFewLists({ nestedLists: count }: Pick<Bill, 'nestedLists'>): void {
  if (count <= mostNestedLists) return;
  const hint = {
    en: `the operation can read ${count} lists within records, and ${mostNestedLists} are allowed: ask for smaller pages around them`,
    fr: `l’opération peut lire ${count} listes dans des enregistrements, et ${mostNestedLists} sont permises : demandez de plus petites pages autour d’elles`,
  };
  const unit = { en: 'lists within records', fr: 'listes dans des enregistrements' };
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

/** Whether a refusal counts as a call (Contract 8.2.6). Refusals for lack of authority or quota are counted elsewhere. */
export const isCounted = ({ code }: DomainError): boolean =>
  catalogue[code].status < 500 && code !== 'unauthorized-limitation' && code !== 'rate-limit-exceeded';

const keyOf = (bucket: Bucket, context: RequestContext): string => `${bucket}:${subjectOf(context)}`;

const stateOf = (limit: number, { remaining, endsAtMs }: Window): BucketState => ({
  limit,
  remaining,
  resetSeconds: Math.max(1, Math.ceil((endsAtMs - performance.now()) / 1_000)),
});
