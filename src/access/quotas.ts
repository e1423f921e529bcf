import { getDirective, MapperKind, mapSchema } from '@graphql-tools/utils';
import { type GraphQLResolveInfo, type GraphQLSchema } from 'graphql';
import { type IMiddlewareFunction } from 'graphql-middleware';
import { rateLimitDirective } from 'graphql-rate-limit-directive';
import { type Db, type IndexDescription } from 'mongodb';
import { type IRateLimiterOptions, type RateLimiterAbstract, RateLimiterMemory } from 'rate-limiter-flexible';
import { DomainError } from '../errors/domain-error.js';
import { type Quota } from '../setting-parsers.js';
import { type BucketState, callerOf, type RequestContext } from './request-context.js';
import { SharedLimiter } from './shared-limiter.js';

/** The buckets that a token's subject has (Contract 8.2). */
export type Bucket = 'updateJob' | 'mutation' | 'read';

/** A bucket as the shared limiter stores it. */
interface StoredBucket {
  key: string;
  /** Units spent, and calls refused, since the window began. */
  points: number;
  /** When the window ends. */
  expire: Date;
}

/** Where processes share their buckets. */
export const quotaCollection = 'quotas';
export const quotaIndexes: readonly IndexDescription[] = [
  { key: { key: 1 }, unique: true },
  { key: { expire: -1 }, expireAfterSeconds: 0 },
];

/** Two windows of a bucket begin at least a second apart: this near to each other, two ends are those of one window. */
const sameWindowMs = 50;

/** The directive as the SDL declares it, and its arguments before the settings replace them. */
export const rateLimitSdl = rateLimitDirective({
  defaultLimit: '50',
  defaultDuration: '1',
}).rateLimitDirectiveTypeDefs;

/**
 * How often a caller may do what (Contract 8.2). One bucket per subject serves GraphQL, aliases and REST alike, and
 * every process when the buckets lie in a shared database.
 */
export class Quotas {
  private readonly limiters = new Map<string, RateLimiterAbstract>();
  /** When the window ends that a call spent its unit in, by the clock that the limiters go by. */
  private readonly windowEnds = new WeakMap<GraphQLResolveInfo, number>();

  /** @param database where processes share their buckets; null keeps them in this one's memory */
  constructor(
    private readonly quotas: Readonly<Record<Bucket, Quota>>,
    private readonly database: Db | null,
    private readonly onRefusal: (bucket: string) => void,
  ) {}

  /** Makes the indexes of the shared buckets. */
  async prepare(): Promise<void> {
    // Both in one command: some servers hold a unique index only if it is as old as its collection.
    await this.database?.collection(quotaCollection).createIndexes([...quotaIndexes]);
  }

  /** The schema with its `@rateLimit` directives at work. */
  guard(schema: GraphQLSchema): GraphQLSchema {
    const { rateLimitDirectiveTransformer } = rateLimitDirective<RequestContext, IRateLimiterOptions>({
      keyGenerator: (_directive, _source, _args, context, info) => keyOf(info, context),
      limiterClass: this.limiterClass(),
      setState: ({ remainingPoints, msBeforeNext }, { limit }, _source, _args, context, info) => {
        this.windowEnds.set(info, Date.now() + msBeforeNext);
        noteBucket(context, bucketOf(info), {
          limit,
          remaining: remainingPoints,
          resetSeconds: wholeSeconds(msBeforeNext),
        });
      },
      onLimit: ({ msBeforeNext }, _directive, _source, _args, _context, info) => {
        this.onRefusal(bucketOf(info));
        throw new DomainError('rate-limit-exceeded', { retryAfterSeconds: wholeSeconds(msBeforeNext) });
      },
    });
    return rateLimitDirectiveTransformer(this.withSettings(schema));
  }

  /** Gives the unit back to a caller whose lack of authority showed only after it was spent (Contract 7.6.2). */
  readonly giveBack: IMiddlewareFunction<unknown, RequestContext> = async (
    resolve,
    parent,
    args,
    context,
    info,
  ) => {
    try {
      return (await resolve(parent, args, context, info)) as unknown;
    } catch (error) {
      const windowEndMs = this.windowEnds.get(info);
      const isLackOfAuthority = error instanceof DomainError && error.code === 'unauthorized-limitation';
      if (isLackOfAuthority && windowEndMs !== undefined) {
        const bucket = bucketOf(info);
        const { limit } = this.quotas[bucket];
        const state = await this.returnUnit(bucket, keyOf(info, context), windowEndMs);
        if (state)
          context.buckets.set(bucket, {
            limit,
            remaining: limit - state.points,
            resetSeconds: wholeSeconds(state.msBeforeNext),
          });
      }
      throw error;
    }
  };

  /** The state of each bucket of a subject, without spending a unit. */
  async bucketsOf(subject: string): Promise<({ name: Bucket } & BucketState)[]> {
    const names = Object.keys(this.quotas) as Bucket[];
    return Promise.all(
      names.map(async (name) => {
        const quota = this.quotas[name];
        const state = await this.limiterOf(quota).get(`${name}:${subject}`);
        return {
          name,
          limit: quota.limit,
          remaining: state ? Math.max(0, state.remainingPoints) : quota.limit,
          resetSeconds: state && state.msBeforeNext > 0 ? wholeSeconds(state.msBeforeNext) : 0,
        };
      }),
    );
  }

  /**
   * Takes a unit out of the count of its own window; null when that window is over, and the unit with it.
   *
   * The limiters count refused calls, too. Whenever there is one, as many units are out as the bucket has, so what is
   * counted past the limit is nobody's unit and is forgotten here: a refusal itself costs no second round trip.
   */
  private async returnUnit(
    bucket: Bucket,
    callerKey: string,
    windowEndMs: number,
  ): Promise<{ points: number; msBeforeNext: number } | null> {
    const { limit } = this.quotas[bucket];
    const limiter = this.limiterOf(this.quotas[bucket]);
    if (!(limiter instanceof SharedLimiter)) {
      const state = await limiter.get(callerKey);
      if (!state || Math.abs(Date.now() + state.msBeforeNext - windowEndMs) > sameWindowMs) return null;
      const { consumedPoints: points, msBeforeNext } = await limiter.reward(
        callerKey,
        Math.max(state.consumedPoints - limit, 0) + 1,
      );
      return { points, msBeforeNext };
    }
    // Never an upsert, as the limiter's own reward is one: a unit that comes late must not add to the next window.
    const state = await this.database
      ?.collection<StoredBucket>(quotaCollection)
      .findOneAndUpdate(
        {
          key: limiter.getKey(callerKey),
          expire: { $gt: new Date(windowEndMs - sameWindowMs), $lt: new Date(windowEndMs + sameWindowMs) },
        },
        [{ $set: { points: { $subtract: [{ $min: ['$points', limit] }, 1] } } }],
        { returnDocument: 'after' },
      )
      // The caller's refusal stands, whatever becomes of its unit.
      .catch(() => null);
    if (!state) return null;
    // The bucket may have been found empty while this unit was out. Another process that found it so goes on refusing
    // to the end of the window: to tell it would cost each of its refusals a round trip.
    if (state.points === limit - 1) limiter.deleteInMemoryBlockedAll();
    return { points: state.points, msBeforeNext: state.expire.getTime() - Date.now() };
  }

  /** The settings take the place of the arguments that the SDL shows. */
  private withSettings(schema: GraphQLSchema): GraphQLSchema {
    return mapSchema(schema, {
      [MapperKind.OBJECT_FIELD]: (field, fieldName, typeName) => {
        if (!getDirective(schema, field, 'rateLimit')) return undefined;
        const { limit, durationSeconds: duration } =
          this.quotas[bucketOf({ fieldName, parentType: { name: typeName } })];
        return {
          ...field,
          extensions: { ...field.extensions, directives: { rateLimit: { limit, duration } } },
        };
      },
    });
  }

  /** The directive makes one limiter for each pair of arguments; what gives units back must find the same one. */
  private limiterClass(): new (options: IRateLimiterOptions) => RateLimiterAbstract {
    const make = ({ points = 0, duration = 0 }: IRateLimiterOptions) =>
      this.limiterOf({ limit: points, durationSeconds: duration });
    return class {
      constructor(options: IRateLimiterOptions) {
        return make(options);
      }
    } as unknown as new (options: IRateLimiterOptions) => RateLimiterAbstract;
  }

  private limiterOf({ limit, durationSeconds }: Quota): RateLimiterAbstract {
    const key = `${limit}/${durationSeconds}`;
    let limiter = this.limiters.get(key);
    if (!limiter) {
      const options = { points: limit, duration: durationSeconds, keyPrefix: 'quota' };
      limiter = this.database
        ? new SharedLimiter({
            ...options,
            storeClient: this.database,
            tableName: quotaCollection,
            disableIndexesCreation: true,
            // A bucket that was found empty stays so to the end of its window: no round trip tells it again.
            inMemoryBlockOnConsumed: limit + 1,
          })
        : new RateLimiterMemory(options);
      this.limiters.set(key, limiter);
    }
    return limiter;
  }
}

const wholeSeconds = (ms: number): number => Math.max(1, Math.ceil(ms / 1_000));

type Coordinate = Pick<GraphQLResolveInfo, 'fieldName'> & { parentType: { name: string } };

function bucketOf({ fieldName, parentType }: Coordinate): Bucket {
  if (parentType.name === 'Query') return 'read';
  return fieldName === 'updateJob' ? 'updateJob' : 'mutation';
}

const keyOf = (info: Coordinate, context: RequestContext): string =>
  `${bucketOf(info)}:${callerOf(context).subject}`;

/** Answers to parallel calls may come out of order: the last unit spent is the one with the fewest left. */
function noteBucket({ buckets }: RequestContext, name: Bucket, state: BucketState): void {
  if (state.remaining <= (buckets.get(name)?.remaining ?? state.limit)) buckets.set(name, state);
}
