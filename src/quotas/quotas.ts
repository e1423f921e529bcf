import { type GraphQLSchema } from 'graphql';
import { rateLimitDirective } from 'graphql-rate-limit-directive';
import { type Db } from 'mongodb';
import { catalogue } from '../errors/catalogue.js';
import { DomainError } from '../errors/domain-error.js';
import { fieldFault } from '../errors/field-fault.js';
import { type Bucket, type Operation, operations } from '../operations.js';
import { type Quota } from '../settings/setting-parsers.js';
import { quotaCollection } from './quota-indexes.js';
import {
  type OperationCost,
  type BucketState,
  type NamedBucket,
  type Price,
  type RequestContext,
  requireSubject,
  type Units,
  type UsedBucket,
} from '../permissions/request-context.js';
import { bucketsIn, SharedLimiter, sumOf, type Window } from './shared-limiter.js';

/** One unit of the read quota for each started 1 000 of an operation's complexity. */
const complexityPerUnit = 1_000;

/**
 * The units that an operation spends. A mutation's own unit also pays for the first 1 000 of the complexity; what its payload costs beyond
 * is paid from the read quota, and all of it where a lone mutation is repeated.
 */
function unitsOf({ complexity, mutations }: Price, isRepeated: boolean): Units {
  const read = Math.ceil(complexity / complexityPerUnit);
  if (mutations.length === 0 || (isRepeated && mutations.length === 1)) return { read };
  const own = mutations.map(({ field, isDryRun }): Units => {
    const { bucket, dryRunCost }: Operation = operations[field];
    return isDryRun && dryRunCost ? { [dryRunCost.bucket]: dryRunCost.units } : { [bucket]: 1 };
  });
  return sumOf([...own, { read: Math.max(0, read - mutations.length) }]);
}

const { rateLimitDirectiveTypeDefs } = rateLimitDirective({ defaultLimit: '50', defaultDuration: '1' });
/** The settings override these defaults. */
export const rateLimitSdl = rateLimitDirectiveTypeDefs;

/** Limits how much a caller may ask for. */
export class Quotas {
  private readonly limiter: SharedLimiter;

  constructor(
    private readonly quotas: Readonly<Record<Bucket, Quota>>,
    database: Db,
    private readonly onRefusal: (bucket: Bucket) => void,
  ) {
    this.limiter = new SharedLimiter(database.collection(quotaCollection), quotas);
  }

  /**
   * Charges the operation where a field with `@rateLimit` is about to resolve. The settings set the quotas, whatever the arguments of the
   * directive. The library's own limiter has nothing to count.
   */
  readonly atDirective = (schema: GraphQLSchema): GraphQLSchema =>
    rateLimitDirective<RequestContext>({
      pointsCalculator: async (_directive, _source, _args, context) => {
        await this.charge(context);
        return 0;
      },
    }).rateLimitDirectiveTransformer(schema);

  /**
   * The first root field to arrive spends what the whole operation costs, so that the quota refuses all of it or nothing.
   * @param isRepeated whether the root field is a mutation that gets its first reply again
   * @throws DomainError rate-limit-exceeded or validation-failed if the operation is refused; or the driver's error
   */
  async charge(context: RequestContext, isRepeated = false): Promise<void> {
    const { cost } = context;
    // No call may run uncounted.
    if (!cost.price) throw new Error('the price of the operation is not known');
    // Root fields that are refused together get the same error, which the reply tells once.
    cost.charge ??= this.spend(context, unitsOf(cost.price, isRepeated));
    await cost.charge;
  }

  /**
   * Spends a unit for a rejected request, unless it has spent one.
   * @returns the error to answer with if the quota is used up
   */
  async spendOnce(bucket: Bucket, context: RequestContext): Promise<DomainError | null> {
    if (context.cost.used.size > 0) return null;
    try {
      await this.spend(context, { [bucket]: 1 });
      return null;
    } catch (error) {
      // While the database is away or other calls win each race, keep the original refusal.
      return error instanceof DomainError && error.code !== 'service-unavailable' ? error : null;
    }
  }

  /** @returns the state of each bucket afterwards */
  private async spend(context: RequestContext, units: Units): Promise<NamedBucket[]> {
    const asked = bucketsIn(units);
    for (const bucket of asked)
      if (units[bucket]! > this.quotas[bucket].limit)
        throw tooCostly(bucket, units[bucket]!, this.quotas[bucket]);
    const { isGranted, windows } = await this.limiter.spend(requireSubject(context), units);
    const isShort = (bucket: Bucket) => units[bucket]! > (windows[bucket]?.remaining ?? Infinity);
    // The reply tells the quotas that refused the operation.
    const told = isGranted ? asked : asked.filter(isShort);
    const state = (bucket: Bucket) => stateOf(this.quotas[bucket], windows[bucket]);
    for (const bucket of told) context.cost.used.set(bucket, { ...state(bucket), units: units[bucket]! });
    if (isGranted) return (Object.keys(this.quotas) as Bucket[]).map((name) => ({ name, ...state(name) }));
    for (const bucket of told) this.onRefusal(bucket);
    const { resetSeconds } = tightestBucket(context.cost)!;
    throw new DomainError('rate-limit-exceeded', { retryAfterSeconds: resetSeconds });
  }
}

/** Over GraphQL the hint is the whole message, because no field is at fault. */
function tooCostly(bucket: Bucket, units: number, { limit }: Quota): DomainError {
  const hint = {
    en: `the operation costs ${units} units of the quota ${bucket}, which has only ${limit}: split it into several operations`,
    fr: `l’opération coûte ${units} unités du quota ${bucket}, qui n’en a que ${limit} : répartissez-la en plusieurs opérations`,
  };
  const fault = fieldFault.tooMany('cost', limit, { en: 'units', fr: 'unités', parameter: 'maximumUnits' });
  return new DomainError('validation-failed', {
    faults: [{ ...fault, isArgument: true, path: [] }],
    hint,
    graphqlMessage: { en: `T${hint.en.slice(1)}.`, fr: `L${hint.fr.slice(1)}.` },
  });
}

/** Whether a refusal counts as a call. Refusals for lack of authority or quota are counted elsewhere. */
export const isCounted = ({ code }: DomainError): boolean =>
  catalogue[code].status < 500 && code !== 'unauthorized-limitation' && code !== 'rate-limit-exceeded';

function stateOf({ limit }: Quota, window: Window | undefined): BucketState {
  if (!window) return { limit, remaining: limit, resetSeconds: 0 };
  const { remaining, endsAtMs } = window;
  return { limit, remaining, resetSeconds: Math.max(1, Math.ceil((endsAtMs - performance.now()) / 1_000)) };
}

/** The used bucket with the fewest units left. */
export const tightestBucket = ({ used }: Pick<OperationCost, 'used'>): UsedBucket | undefined =>
  [...used.values()].sort((one, other) => one.remaining - other.remaining)[0];

/** Headers of every reply. */
export function replyHeaders({ cost, isReplayed }: RequestContext): Record<string, string> {
  const bucket = tightestBucket(cost);
  // Undefined if the request never became an operation and used no bucket.
  const units = bucket?.units ?? (cost.price ? 0 : undefined);
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

/** For the `extensions` of a GraphQL reply. */
export function replyExtensions({
  cost,
}: RequestContext):
  { rateLimit?: BucketState; cost?: { complexity: number; units: number }; dryRun?: true } | undefined {
  const { complexity, mutations } = cost.price ?? { mutations: [] };
  const isDryRun = mutations.length > 0 && mutations.every((each) => each.isDryRun);
  const { units = 0, ...rateLimit } = tightestBucket(cost) ?? {};
  const extensions = {
    ...('limit' in rateLimit && { rateLimit }),
    ...(complexity !== undefined && { cost: { complexity, units } }),
    ...(isDryRun && { dryRun: true as const }),
  };
  return Object.keys(extensions).length > 0 ? extensions : undefined;
}
