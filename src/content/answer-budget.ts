import { mongo } from 'mongoose';
import { DomainError } from '../errors/domain-error.js';

/** Makes a cursor return each record as undecoded BSON, so that its size is known before it is decoded. */
export const asBytes = { raw: true } as const;

/** Decodes a record. Skips the UTF-8 validation: both APIs reject text that is not UTF-8, so all stored text is valid. */
export const decode = <Stored>(bytes: Uint8Array): Stored =>
  mongo.BSON.deserialize(bytes, { validation: { utf8: false } }) as Stored;

/** How many bytes of BSON all records of one answer may have together. */
const mostBytes = 2 ** 21;

/**
 * Bounds the total BSON size of the records that one GraphQL document reads (Contract 8.4.8). Once the budget is used up, a
 * list page ends early and a single record is refused. The first record is always returned.
 */
export class AnswerBudget {
  private bytesLeft = mostBytes;
  private turn: Promise<unknown> = Promise.resolve();

  get left(): number {
    return this.bytesLeft;
  }

  /**
   * Returns whether a record of this size fits, and charges it. Once a record doesn't fit, no later record does.
   * @param canExceed accept any record while some budget is left. By default true only for the first record, because a
   *   record larger than the whole budget could otherwise never be read
   */
  take(bytes: number, canExceed = this.bytesLeft === mostBytes): boolean {
    const isFitting = bytes <= this.bytesLeft || (canExceed && this.bytesLeft > 0);
    this.bytesLeft = isFitting ? this.bytesLeft - bytes : 0;
    return isFitting;
  }

  /** Charges a single record. @throws DomainError payload-too-large if it does not fit */
  spend(bytes: number): void {
    if (!this.take(bytes)) throw new DomainError('payload-too-large');
  }

  /** Reads lists one after another, so that a document with many lists does not hold all of them in memory at once. */
  enqueue<Result>(read: () => Promise<Result>): Promise<Result> {
    const reading = this.turn.then(read);
    this.turn = reading.catch(() => undefined);
    return reading;
  }
}
