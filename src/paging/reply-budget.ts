import { mongo } from 'mongoose';
import { DomainError, unavailable } from '../errors/domain-error.js';
import { turns } from '../turns.js';

/** Makes a cursor return BSON, so that the size of a record is known before it is decoded. */
export const asBytes = { raw: true } as const;

/** Skips the UTF-8 validation: both APIs reject text that is not UTF-8. */
export const decode = <Stored>(bytes: Uint8Array): Stored =>
  mongo.BSON.deserialize(bytes, { validation: { utf8: false } }) as Stored;

const mostBytes = 2 ** 21;

/** A database serves its commands in order, so other callers would wait for all costly queries of one caller. */
const inTurn = turns({
  longestWaitMs: 5_000,
  late: () => unavailable(new Error('searches of one caller waited 5 s for each other')),
});

/**
 * Bounds the total BSON size of the records that one operation reads. Once it is used up, a page ends early and a single record is
 * refused. The first record is always read.
 */
export class ReplyBudget {
  private bytesLeft = mostBytes;
  private turn: Promise<unknown> = Promise.resolve();

  constructor(private readonly subject?: string) {}

  get left(): number {
    return this.bytesLeft;
  }

  /**
   * Charges a record and returns whether it fits. Once a record doesn't fit, no later record does.
   * @param canExceed accepts any record while some budget is left. By default true for the first record: a record larger than the whole
   *   budget could otherwise never be read
   */
  take(bytes: number, canExceed = this.bytesLeft === mostBytes): boolean {
    const isFitting = bytes <= this.bytesLeft || (canExceed && this.bytesLeft > 0);
    this.bytesLeft = isFitting ? this.bytesLeft - bytes : 0;
    return isFitting;
  }

  /** @throws DomainError payload-too-large if the record does not fit */
  spend(bytes: number): void {
    if (!this.take(bytes)) throw new DomainError('payload-too-large');
  }

  /**
   * Runs the searches and counts of a caller one after another.
   * @throws DomainError service-unavailable if the searches before it take longer than 5 s
   */
  inTurn<Result>(query: () => Promise<Result>): Promise<Result> {
    return this.subject === undefined ? query() : inTurn(this.subject, query);
  }

  /** Reads lists one after another: a document with many lists must not hold all of them in memory at once. */
  enqueue<Result>(read: () => Promise<Result>): Promise<Result> {
    const reading = this.turn.then(read);
    this.turn = reading.catch(() => undefined);
    return reading;
  }
}
