import { mongo } from 'mongoose';
import { DomainError, unavailable } from '../errors/domain-error.js';
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

  /**
   * Refuses an operation when too many run, and a mutation once those before it in its document have used up the bytes of the
   * answer (Contract 8.4.8). A mutation that has begun is answered whatever is left, since it has changed its record.
   */
  readonly takePlace: Middleware = async (resolve, parent, args, context, info) => {
    const isUpdate = info.parentType.name === 'Mutation';
    if (isUpdate && context.budget.left <= 0) throw new DomainError('payload-too-large');
    if (this.inFlight >= this.options.maxInFlight)
      throw this.shed('in-flight', 'too many operations are under way');
    this.inFlight += 1;
    try {
      const answer: unknown = await resolve(parent, args, context, info);
      if (isUpdate && answer) context.budget.take(mongo.BSON.calculateObjectSize(answer));
      return answer;
    } finally {
      this.inFlight -= 1;
    }
  };

  /** Throws while the database is away, before anything is done for the caller. */
  readonly assertOpen = (): void => {
    const reason = this.options.awayReason();
    if (reason) throw this.shed('database', reason);
  };

  private shed(reason: 'in-flight' | 'database', message: string): DomainError {
    this.options.onShed(reason);
    return unavailable(new Error(message));
  }
}
