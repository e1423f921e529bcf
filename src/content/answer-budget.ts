import { mongo } from 'mongoose';
import { DomainError } from '../errors/domain-error.js';

/** Has a cursor give each record as the bytes that came: their number is its length, known before anything is decoded. */
export const asBytes = { raw: true } as const;

/** The record of these bytes. What is stored has passed an API, which refuses text that is not UTF-8: no text is looked through again. */
export const decode = <Stored>(bytes: Uint8Array): Stored =>
  mongo.BSON.deserialize(bytes, { validation: { utf8: false } }) as Stored;

/** What all records of an answer may take together, as they are read. */
const mostBytes = 2 ** 21;

/**
 * Bounds the bytes of all records that one document asks for (Contract 8.4.8), by the length of their BSON. When they are used
 * up, a page ends early, and a record that is asked for by itself is refused. The first record is always answered.
 */
export class AnswerBudget {
  private bytesLeft = mostBytes;
  private turn: Promise<unknown> = Promise.resolve();

  /** In bytes. */
  get left(): number {
    return this.bytesLeft;
  }

  /**
   * Whether a record of so many bytes fits; after one that does not, none does.
   * @param canExceed whether any room that is left is enough: otherwise nobody could read a record longer than an answer
   */
  take(bytes: number, canExceed = this.bytesLeft === mostBytes): boolean {
    const isFitting = bytes <= this.bytesLeft || (canExceed && this.bytesLeft > 0);
    this.bytesLeft = isFitting ? this.bytesLeft - bytes : 0;
    return isFitting;
  }

  /** Takes the bytes of a record that is answered by itself. @throws DomainError payload-too-large if it does not fit any more */
  spend(bytes: number): void {
    if (!this.take(bytes)) throw new DomainError('payload-too-large');
  }

  /** Waits until earlier lists are read: otherwise a document with many lists would hold all of them in memory at once. */
  enqueue<Result>(read: () => Promise<Result>): Promise<Result> {
    const reading = this.turn.then(read);
    this.turn = reading.catch(() => undefined);
    return reading;
  }
}
