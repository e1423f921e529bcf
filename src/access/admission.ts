import { type DomainError, unavailable } from '../errors/domain-error.js';
import { type Middleware } from './request-context.js';

/** Refuses operations at once while the database is away or too many run, instead of keeping a queue (Contract 11.9). */
export class Admission {
  private inFlight = 0;

  constructor(
    private readonly options: {
      /** Why the database is away, null while it is not. */
      awayReason: () => string | null;
      maxInFlight: number;
      /** Told of each operation that was not let in. */
      onShed: (reason: 'in-flight' | 'database') => void;
    },
  ) {}

  /** Refuses an operation when too many run. One whose logo is still coming does not count: a slow sender would keep others out. */
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

  /** Refuses while the database is away, before anything is done for the caller. */
  readonly assertOpen: Middleware = async (resolve, parent, args, context, info) => {
    // A caller without a token is refused anyway, and that needs no database.
    const reason = context.caller && this.options.awayReason();
    if (reason) throw this.shed('database', reason);
    return (await resolve(parent, args, context, info)) as unknown;
  };

  private shed(reason: 'in-flight' | 'database', message: string): DomainError {
    this.options.onShed(reason);
    return unavailable(new Error(message));
  }
}
