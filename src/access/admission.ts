import { type IMiddlewareFunction } from 'graphql-middleware';
import { DomainError } from '../errors/domain-error.js';
import { type RequestContext } from './request-context.js';

type Middleware = IMiddlewareFunction<unknown, RequestContext>;

/**
 * What is let in at all (Contract 7.1.1). With the database away, or as many operations under way as may be, a caller
 * hears 503 at once, rather than waiting in a queue that grows; operations through every door count together.
 */
export class Admission {
  private inFlight = 0;

  constructor(
    private readonly options: {
      isDatabaseAway: () => boolean;
      maxInFlight: number;
      /** Told of each operation that was not let in. */
      onShed: (reason: 'in-flight' | 'database') => void;
    },
  ) {}

  /** Around everything else that an operation does. */
  readonly bound: Middleware = async (resolve, parent, args, context, info) => {
    // Whoever has no token is told so, which takes no database.
    if (!context.caller) return (await resolve(parent, args, context, info)) as unknown;
    if (this.inFlight >= this.options.maxInFlight)
      throw this.shed('in-flight', 'too many operations are under way');
    this.assertDatabase();
    this.inFlight += 1;
    try {
      return (await resolve(parent, args, context, info)) as unknown;
    } finally {
      this.inFlight -= 1;
    }
  };

  /** After the quota, whose own wait for the database may be what told that it is away. */
  readonly askAgain: Middleware = async (resolve, parent, args, context, info) => {
    this.assertDatabase();
    return (await resolve(parent, args, context, info)) as unknown;
  };

  private assertDatabase(): void {
    if (this.options.isDatabaseAway()) throw this.shed('database', 'the database is away');
  }

  private shed(reason: 'in-flight' | 'database', message: string): DomainError {
    this.options.onShed(reason);
    return new DomainError('service-unavailable', { retryAfterSeconds: 1, cause: new Error(message) });
  }
}
