import { type Model } from 'mongoose';
import { ReferenceBook } from './reference-book.js';
import { type ReferenceKind, type ReferenceRecord } from './reference.model.js';

/** What another process changes is seen within this time. */
const freshForMs = 1_000;

/** A reference id that a request names, of the kind that its field asks for. */
export interface ReferenceNeed {
  kind: ReferenceKind;
  id: string;
}

/** Keeps the reference records in memory, at most a second old; a miss is looked up anew each time. */
export class ReferenceService {
  private book = new ReferenceBook([]);
  private readAtMs = -Infinity;
  private reading: Promise<ReferenceBook> | undefined;

  constructor(
    private readonly model: Model<ReferenceRecord>,
    private readonly clock: () => Date,
  ) {}

  /** A book at most a second old; read afresh when one of the needed ids is not in it. */
  async read(needs: readonly ReferenceNeed[] = []): Promise<ReferenceBook> {
    const isFresh = this.clock().getTime() - this.readAtMs < freshForMs;
    if (isFresh && needs.every(({ kind, id }) => this.book.find(kind, id))) return this.book;
    this.reading ??= this.load().finally(() => (this.reading = undefined));
    return this.reading;
  }

  private async load(): Promise<ReferenceBook> {
    const startedAtMs = this.clock().getTime();
    this.book = new ReferenceBook(
      await this.model.find().sort({ kind: 1, publicId: 1 }).lean<ReferenceRecord[]>(),
    );
    this.readAtMs = startedAtMs;
    return this.book;
  }
}
