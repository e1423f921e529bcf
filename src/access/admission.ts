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

  /** Around all that takes the database's time, but not around what its sender takes to send. */
  readonly bound: Middleware = async (resolve, parent, args, context, info) => {
    if (this.inFlight >= this.options.maxInFlight)
      throw this.shed('in-flight', 'too many operations are under way');
    this.inFlight += 1;
    try {
      return (await resolve(parent, args, context, info)) as unknown;
    } finally {
      this.inFlight -= 1;
    }
  };

  /**
   * Before anything is done for a caller, and after the quota, whose own wait for the database may be what told that it
   * is away.
   */
  readonly assertOpen: Middleware = async (resolve, parent, args, context, info) => {
    // Whoever has no token is told so, which takes no database.
    if (context.caller && this.options.isDatabaseAway()) throw this.shed('database', 'the database is away');
    return (await resolve(parent, args, context, info)) as unknown;
  };

  private shed(reason: 'in-flight' | 'database', message: string): DomainError {
    this.options.onShed(reason);
    return new DomainError('service-unavailable', { retryAfterSeconds: 1, cause: new Error(message) });
  }
}
