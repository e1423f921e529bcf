import { type GraphQLSchema } from 'graphql';
import { rateLimitDirective } from 'graphql-rate-limit-directive';
import { type Db } from 'mongodb';
import { type RateLimiterAbstract, type RateLimiterRes } from 'rate-limiter-flexible';
import { catalogue } from '../errors/catalogue.js';
import { DomainError } from '../errors/domain-error.js';
import { type Bucket, type Cost, operationOf } from '../operations.js';
import { type Quota } from '../setting-parsers.js';
import { quotaCollection } from './quota-indexes.js';
import { type BucketState, subjectOf, type RequestContext } from './request-context.js';
import { SharedLimiter } from './shared-limiter.js';

/** The settings override these defaults. */
export const rateLimitSdl = rateLimitDirective({
  defaultLimit: '50',
  defaultDuration: '1',
}).rateLimitDirectiveTypeDefs;

/** Limits how often a caller may call an operation (Contract 8.2). Spent units are not refunded. */
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
   * Activates the `@rateLimit` directives: each spends what its field costs before the field is resolved. The quotas are those of the
   * settings, whatever the arguments of the directive (Contract 8.2.5).
   */
  guard(schema: GraphQLSchema): GraphQLSchema {
    const { limiter, quotas } = this;
    // The directive calls this function with `new`, and gets the returned object.
    const limiterClass = function () {
      return { consume: (key: string, units: number) => limiter.spend(key, quotas[bucketIn(key)], units) };
    } as unknown as typeof RateLimiterAbstract;
    const { rateLimitDirectiveTransformer } = rateLimitDirective<RequestContext>({
      keyGenerator: (_directive, _source, args, context, info) =>
        keyOf(costOf(info.fieldName, args).bucket, context),
      pointsCalculator(_directive, _source, args, _context, info) {
        const { bucket, units } = costOf(info.fieldName, args);
        // Otherwise a quota smaller than the cost would refuse every call.
        return Math.min(units, quotas[bucket].limit);
      },
      limiterClass,
      setState: (result, _directive, _source, args, context, info) =>
        this.settle(costOf(info.fieldName, args).bucket, context, result),
    });
    return rateLimitDirectiveTransformer(schema);
  }

  /** Spends a unit for a request that never reaches a field. @throws DomainError rate-limit-exceeded, or the driver's error */
  readonly spend = async (bucket: Bucket, context: RequestContext): Promise<void> =>
    this.settle(bucket, context, await this.limiter.spend(keyOf(bucket, context), this.quotas[bucket]));

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
        const state = await this.limiter.find(keyOf(name, context), quota);
        return { name, ...(state ? stateOf(limit, state) : { limit, remaining: limit, resetSeconds: 0 }) };
      }),
    );
  }

  /** @throws DomainError rate-limit-exceeded if no unit was left for the call */
  private settle(bucket: Bucket, { buckets }: RequestContext, result: RateLimiterRes): void {
    const { limit } = this.quotas[bucket];
    const state = stateOf(limit, result);
    // Parallel calls may return out of order, so the lowest `remaining` is the latest.
    if (state.remaining <= (buckets.get(bucket)?.remaining ?? limit)) buckets.set(bucket, state);
    if (result.consumedPoints <= limit) return;
    this.onRefusal(bucket);
    throw new DomainError('rate-limit-exceeded', { retryAfterSeconds: state.resetSeconds });
  }
}

/** Whether a refusal counts as a call (Contract 8.2.6). Refusals for lack of authority or quota are counted elsewhere. */
export const isCounted = ({ code }: DomainError): boolean =>
  catalogue[code].status < 500 && code !== 'unauthorized-limitation' && code !== 'rate-limit-exceeded';

/** @throws Error if `operations` has no row for the field */
function costOf(field: string, { dryRun }: { dryRun?: boolean }): Cost {
  const operation = operationOf(field);
  if (!operation) throw new Error(`operations.ts has no row for ${field}`);
  const { bucket, dryRunCost } = operation;
  return (dryRun && dryRunCost) || { bucket, units: 1 };
}

const keyOf = (bucket: Bucket, context: RequestContext): string => `${bucket}:${subjectOf(context)}`;
const bucketIn = (key: string): Bucket => key.slice(0, key.indexOf(':')) as Bucket;

const wholeSeconds = (ms: number): number => Math.max(1, Math.ceil(ms / 1_000));

const stateOf = (limit: number, { remainingPoints, msBeforeNext }: RateLimiterRes): BucketState => ({
  limit,
  remaining: Math.max(0, remainingPoints),
  resetSeconds: wholeSeconds(msBeforeNext),
});
