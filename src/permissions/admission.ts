import { mongo } from 'mongoose';
import { DomainError, unavailable } from '../errors/domain-error.js';
import { type Stage } from './request-context.js';

/** Rejects operations at once: `admit` while too many run, `assertOpen` while the database is away (Contract 11.9). */
export class Admission {
  private inFlight = 0;

  constructor(
    private readonly awayReason: () => string | null,
    private readonly maxInFlight: number,
    private readonly onShed: (reason: 'in-flight' | 'database') => void,
  ) {}

  /**
   * Also rejects a mutation if earlier mutations of its document have used up the answer's size limit. A mutation that has run is always
   * answered, because it has changed its record.
   */
  readonly admit: Stage = async (next, parent, args, context, info) => {
    const isUpdate = info.parentType.name === 'Mutation';
    if (isUpdate && context.budget.left <= 0) throw new DomainError('payload-too-large');
    if (this.inFlight >= this.maxInFlight) throw this.shed('in-flight', 'too many operations are under way');
    this.inFlight += 1;
    try {
      const answer: unknown = await next(parent, args, context, info);
      if (isUpdate && answer) context.budget.take(mongo.BSON.calculateObjectSize(answer));
      return answer;
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
