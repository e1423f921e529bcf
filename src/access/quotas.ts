import { getDirective, MapperKind, mapSchema } from '@graphql-tools/utils';
import { type GraphQLResolveInfo, type GraphQLSchema } from 'graphql';
import { type IMiddlewareFunction } from 'graphql-middleware';
import { rateLimitDirective } from 'graphql-rate-limit-directive';
import { type Db, type IndexDescription } from 'mongodb';
import {
  type IRateLimiterOptions,
  type RateLimiterAbstract,
  RateLimiterMemory,
  RateLimiterMongo,
} from 'rate-limiter-flexible';
import { DomainError } from '../errors/domain-error.js';
import { type Quota } from '../setting-parsers.js';
import { type BucketState, callerOf, type RequestContext } from './request-context.js';

/** The buckets that a token's subject has (Contract 8.2). */
export type Bucket = 'updateJob' | 'mutation' | 'read';

/** Where processes share their buckets. */
export const quotaCollection = 'quotas';
export const quotaIndexes: readonly IndexDescription[] = [
  { key: { key: 1 }, unique: true },
  { key: { expire: -1 }, expireAfterSeconds: 0 },
];

/** A unit given back so close to the end of its window might arrive after it. */
const windowMarginMs = 50;

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
  /** When the window ends that a call spent its unit in, by `performance.now`. */
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
        this.windowEnds.set(info, performance.now() + msBeforeNext);
        noteBucket(context, { limit, remaining: remainingPoints, resetSeconds: wholeSeconds(msBeforeNext) });
      },
      onLimit: ({ msBeforeNext }, _directive, _source, _args, _context, info) => {
        this.onRefusal(bucketOf(info));
        throw new DomainError('rate-limit-exceeded', { retryAfterSeconds: wholeSeconds(msBeforeNext) });
      },
    });
    return rateLimitDirectiveTransformer(this.withSettings(schema));
  }

  /** Gives the unit back to a caller whose lack of authority showed only after it was spent (Contract 7.6). */
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
      // Past its window the unit has come back by itself; a reward would add to the next one.
      const isUnitOut = performance.now() < (this.windowEnds.get(info) ?? 0) - windowMarginMs;
      if (isUnitOut && error instanceof DomainError && error.code === 'unauthorized-limitation') {
        const quota = this.quotas[bucketOf(info)];
        const limiter = this.limiterOf(quota);
        const { remainingPoints, msBeforeNext } = await limiter.reward(keyOf(info, context));
        // The bucket may have been found empty while this unit was out.
        if (limiter instanceof RateLimiterMongo) limiter.deleteInMemoryBlockedAll();
        context.bucket = {
          limit: quota.limit,
          remaining: Math.min(remainingPoints, quota.limit),
          resetSeconds: wholeSeconds(msBeforeNext),
        };
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
      limiter = this.database ? this.sharedLimiter(options) : new RateLimiterMemory(options);
      this.limiters.set(key, limiter);
    }
    return limiter;
  }

  private sharedLimiter(options: { points: number; duration: number; keyPrefix: string }): RateLimiterMongo {
    return new RateLimiterMongo({
      ...options,
      storeClient: this.database,
      tableName: quotaCollection,
      disableIndexesCreation: true,
      // A bucket that was found empty stays so to the end of its window: no round trip tells it again.
      inMemoryBlockOnConsumed: options.points + 1,
      // While the database is away, which the connection's own time-outs tell, each process counts on its own.
      insuranceLimiter: new RateLimiterMemory(options),
    });
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

/** Replies speak of the tightest bucket that the request used. */
function noteBucket(context: RequestContext, bucket: NonNullable<RequestContext['bucket']>): void {
  if (!context.bucket || bucket.remaining <= context.bucket.remaining) context.bucket = bucket;
}
