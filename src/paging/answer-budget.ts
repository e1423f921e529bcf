import { mongo } from 'mongoose';
import { DomainError } from '../errors/domain-error.js';

/** Makes a cursor return BSON, so that the size of a record is known before it is decoded. */
export const asBytes = { raw: true } as const;

/** Skips the UTF-8 validation: both APIs reject text that is not UTF-8. */
export const decode = <Stored>(bytes: Uint8Array): Stored =>
  mongo.BSON.deserialize(bytes, { validation: { utf8: false } }) as Stored;

const mostBytes = 2 ** 21;
const mostReplyBytes = 2 ** 23;

/** Of each caller, the last of its costly queries that has not ended. */
const lastQueries = new Map<string, Promise<unknown>>();

/**
 * Bounds the total BSON size of the records that one GraphQL document reads, and the size of its reply (Contract 8.4.8). Once one of
 * them is used up, a list page ends early and a single record is refused. The first record is always read.
 */
export class AnswerBudget {
  private bytesLeft = mostBytes;
  private replyBytesLeft = mostReplyBytes;
  /** Parts of the reply that fit however long they are, up to `mostUnmeasured`. */
  private unmeasured: (() => number)[] = [];
  private mostUnmeasured = 0;
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

  get isReplyEmpty(): boolean {
    return this.replyBytesLeft === mostReplyBytes && this.unmeasured.length === 0;
  }

  /**
   * Charges a part of the reply and returns whether it fits. If not, nothing more is read either.
   * @param most an upper bound of its bytes, quicker than `measure`, which is called only if the bounds do not fit together
   */
  takeReply(most: number, measure: () => number): boolean {
    this.unmeasured.push(measure);
    this.mostUnmeasured += most;
    if (this.mostUnmeasured <= this.replyBytesLeft) return true;
    for (const each of this.unmeasured) this.replyBytesLeft -= each();
    this.unmeasured = [];
    this.mostUnmeasured = 0;
    if (this.replyBytesLeft < 0) this.bytesLeft = 0;
    return this.replyBytesLeft >= 0;
  }

  /**
   * Runs the searches and counts of a caller one after another: a database serves its commands in order, so other callers would wait for
   * all of them.
   */
  async inTurn<Result>(query: () => Promise<Result>): Promise<Result> {
    const { subject } = this;
    if (subject === undefined) return query();
    const running = (lastQueries.get(subject) ?? Promise.resolve()).then(query);
    const ended = running.catch(() => undefined);
    lastQueries.set(subject, ended);
    try {
      return await running;
    } finally {
      if (lastQueries.get(subject) === ended) lastQueries.delete(subject);
    }
  }

  /** Reads lists one after another: a document with many lists must not hold all of them in memory at once. */
  enqueue<Result>(read: () => Promise<Result>): Promise<Result> {
    const reading = this.turn.then(read);
    this.turn = reading.catch(() => undefined);
    return reading;
  }
}
