import { DomainError } from '../errors/domain-error.js';

/** Roughly how many bytes a value takes as JSON. To print it would be exact, but would hold it in memory twice. */
export function sizeOf(value: unknown): number {
  if (typeof value === 'string' || Buffer.isBuffer(value)) return Buffer.byteLength(value) + shortBytes;
  if (typeof value !== 'object' || value === null || value instanceof Date || '_bsontype' in value)
    return 2 * shortBytes;
  let bytes = shortBytes;
  for (const [key, part] of Object.entries(value)) bytes += key.length + sizeOf(part);
  return bytes;
}

/** What quotation marks, a colon and a comma take; a number, date or id takes about twice as much. */
const shortBytes = 8;

/** What all records of an answer may take together, as JSON. */
const mostBytes = 2 ** 21;

/**
 * Bounds the bytes of all records that one document asks for (Contract 8.4.8). When they are used up, a page ends early,
 * and a record that is asked for by itself is refused. The first record is always answered.
 */
export class AnswerBudget {
  private bytesLeft = mostBytes;
  private turn: Promise<unknown> = Promise.resolve();

  /** In bytes. */
  get left(): number {
    return this.bytesLeft;
  }

  /**
   * Whether the record fits; after one that does not, none does.
   * @param canExceed whether any room that is left is enough: otherwise nobody could read a record longer than an answer
   */
  take(record: unknown, canExceed = this.bytesLeft === mostBytes): boolean {
    const bytes = sizeOf(record);
    const isFitting = bytes <= this.bytesLeft || (canExceed && this.bytesLeft > 0);
    this.bytesLeft = isFitting ? this.bytesLeft - bytes : 0;
    return isFitting;
  }

  /** Returns the record. @throws DomainError payload-too-large if it does not fit any more */
  spend<Item>(record: Item): Item {
    if (this.take(record)) return record;
    throw new DomainError('payload-too-large');
  }

  /** Waits until earlier lists are read: otherwise a document with many lists would hold all of them in memory at once. */
  inTurn<Result>(read: () => Promise<Result>): Promise<Result> {
    const reading = this.turn.then(read);
    this.turn = reading.catch(() => undefined);
    return reading;
  }
}
