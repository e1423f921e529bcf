import { type DomainError, unavailable } from '../errors/domain-error.js';
import { type Stage } from './request-context.js';

/** Rejects operations at once: `admit` while too many run, `assertOpen` while the database is away. */
export class Admission {
  private inFlight = 0;

  constructor(
    private readonly awayReason: () => string | null,
    private readonly maxInFlight: number,
    private readonly onShed: (reason: 'in-flight' | 'database') => void,
  ) {}

  readonly admit: Stage = async (next, parent, args, context, info) => {
    if (this.inFlight >= this.maxInFlight) throw this.shed('in-flight', 'too many operations are under way');
    this.inFlight += 1;
    try {
      return await next(parent, args, context, info);
    } finally {
      this.inFlight -= 1;
    }
  };

  /** @throws DomainError service-unavailable while the database is away */
  readonly assertOpen = (): void => {
    const reason = this.awayReason();
    if (reason) throw this.shed('database', reason);
  };

  private shed(reason: 'in-flight' | 'database', message: string): DomainError {
    this.onShed(reason);
    return unavailable(new Error(message));
  }
}
