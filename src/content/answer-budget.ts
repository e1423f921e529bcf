import { DomainError } from '../errors/domain-error.js';

/** About the bytes of a value as JSON. It is not printed to be measured: that would hold it twice. */
export function sizeOf(value: unknown): number {
  if (typeof value === 'string') return Buffer.byteLength(value) + shortBytes;
  if (typeof value !== 'object' || value === null || value instanceof Date || '_bsontype' in value)
    return 2 * shortBytes;
  let bytes = shortBytes;
  for (const [key, part] of Object.entries(value)) bytes += key.length + sizeOf(part);
  return bytes;
}

/** Quotation marks, a colon, a comma, or half of what is neither text nor record. */
const shortBytes = 8;

/** What the records of an answer may have in all, as JSON. */
const mostBytes = 2 ** 21;

/**
 * The bytes that the records of one document may have together (Contract 8.4.8). A page ends where they are used up;
 * a record that is asked for by itself is refused then. The first record is always answered: none is as large as all.
 */
export class AnswerBudget {
  private bytesLeft = mostBytes;
  private turn: Promise<unknown> = Promise.resolve();

  /** Bytes. */
  get left(): number {
    return this.bytesLeft;
  }

  get isSpent(): boolean {
    return this.bytesLeft <= 0;
  }

  /** Whether the record still fits; once one does not, none does. */
  take(record: unknown): boolean {
    const bytes = sizeOf(record);
    const isFitting = bytes <= this.bytesLeft || this.bytesLeft === mostBytes;
    this.bytesLeft = isFitting ? this.bytesLeft - bytes : 0;
    return isFitting;
  }

  /** The record itself. @throws DomainError payload-too-large where it does not fit any more */
  spend<Item>(record: Item): Item {
    if (this.take(record)) return record;
    throw new DomainError('payload-too-large');
  }

  /** Reads one list after the other, so that a document of many lists does not hold them all at once. */
  inTurn<Result>(read: () => Promise<Result>): Promise<Result> {
    const reading = this.turn.then(read);
    this.turn = reading.catch(() => undefined);
    return reading;
  }
}
