import { type GraphQLResolveInfo } from 'graphql';
import { type IMiddlewareFunction } from 'graphql-middleware';
import { type Db, type IndexDescription } from 'mongodb';
import { type RateLimiterAbstract, RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { DomainError } from '../errors/domain-error.js';
import { type Quota } from '../setting-parsers.js';
import { type BucketState, callerOf, type RequestContext } from './request-context.js';
import { SharedLimiter } from './shared-limiter.js';

/** The buckets that a token's subject has (Contract 8.2). */
export const buckets = ['updateJob', 'mutation', 'read'] as const;
export type Bucket = (typeof buckets)[number];

/** Where processes share their buckets. */
export const quotaCollection = 'quotas';
export const quotaIndexes: readonly IndexDescription[] = [
  { key: { key: 1 }, unique: true },
  { key: { expire: -1 }, expireAfterSeconds: 0 },
];

/**
 * How often a caller may do what (Contract 8.2). One bucket per subject serves GraphQL, aliases and REST alike, and
 * every process when the buckets lie in a shared database. No unit ever comes back: whatever becomes of the call, it
 * had its turn.
 */
export class Quotas {
  private readonly limiters: Readonly<Record<Bucket, RateLimiterAbstract>>;

  /** @param database where processes share their buckets; null keeps them in this one's memory */
  constructor(
    quotas: Readonly<Record<Bucket, Quota>>,
    private readonly database: Db | null,
    private readonly onRefusal: (bucket: Bucket) => void,
  ) {
    const limiterOf = (bucket: Bucket) => createLimiter(bucket, quotas[bucket], database);
    this.limiters = {
      updateJob: limiterOf('updateJob'),
      mutation: limiterOf('mutation'),
      read: limiterOf('read'),
    };
  }

  /** Makes the indexes of the shared buckets. */
  async prepare(): Promise<void> {
    // Both in one command: some servers hold a unique index only if it is as old as its collection.
    await this.database?.collection(quotaCollection).createIndexes([...quotaIndexes]);
  }

  /** Spends a unit before a root field is resolved. */
  readonly guard: IMiddlewareFunction<unknown, RequestContext> = async (
    resolve,
    parent,
    args,
    context,
    info,
  ) => {
    await this.spend(bucketOf(info), context);
    return (await resolve(parent, args, context, info)) as unknown;
  };

  /**
   * Spends a unit of the caller's, and notes in the context what is left of the bucket.
   * @throws DomainError rate-limit-exceeded when none is left; the driver's error when the shared database is away
   */
  async spend(bucket: Bucket, context: RequestContext): Promise<void> {
    const limiter = this.limiters[bucket];
    try {
      noteBucket(context, bucket, stateOf(limiter, await limiter.consume(callerOf(context).subject)));
    } catch (refusal) {
      if (!(refusal instanceof RateLimiterRes)) throw refusal;
      const state = stateOf(limiter, refusal);
      noteBucket(context, bucket, state);
      this.onRefusal(bucket);
      throw new DomainError('rate-limit-exceeded', { retryAfterSeconds: state.resetSeconds });
    }
  }

  /** The state of each bucket of a subject, without spending a unit. */
  async bucketsOf(subject: string): Promise<({ name: Bucket } & BucketState)[]> {
    return Promise.all(
      buckets.map(async (name) => {
        const limiter = this.limiters[name];
        const state = await limiter.get(subject);
        return {
          name,
          ...(state
            ? stateOf(limiter, state)
            : { limit: limiter.points, remaining: limiter.points, resetSeconds: 0 }),
        };
      }),
    );
  }
}

function createLimiter(
  bucket: Bucket,
  { limit, durationSeconds }: Quota,
  database: Db | null,
): RateLimiterAbstract {
  const options = { points: limit, duration: durationSeconds, keyPrefix: `quota:${bucket}` };
  if (!database) return new RateLimiterMemory(options);
  return new SharedLimiter({
    ...options,
    storeClient: database,
    tableName: quotaCollection,
    disableIndexesCreation: true,
    // An empty bucket stays empty to the end of its window, so this process refuses without asking the database again.
    inMemoryBlockOnConsumed: limit,
  });
}

/** The bucket that a root field's calls are counted in. */
function bucketOf({ fieldName, parentType }: GraphQLResolveInfo): Bucket {
  if (parentType.name === 'Query') return 'read';
  return fieldName === 'updateJob' ? 'updateJob' : 'mutation';
}

const stateOf = (
  { points: limit }: RateLimiterAbstract,
  { remainingPoints, msBeforeNext }: RateLimiterRes,
): BucketState => ({
  limit,
  remaining: Math.max(0, remainingPoints),
  resetSeconds: Math.max(1, Math.ceil(msBeforeNext / 1_000)),
});

/** Answers to parallel calls may come out of order: the last unit spent is the one with the fewest left. */
function noteBucket({ buckets: noted }: RequestContext, name: Bucket, state: BucketState): void {
  if (state.remaining <= (noted.get(name)?.remaining ?? state.limit)) noted.set(name, state);
}
