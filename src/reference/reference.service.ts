import { type Model } from 'mongoose';
import { emptyBook, ReferenceBook } from './reference-book.js';
import { type ReferenceKind, type ReferenceRecord } from './reference.model.js';

/** Changes made by another process are seen within this time. */
const freshForMs = 1_000;

/** A reference id in a request, and the kind of record that its field takes. */
interface ReferenceNeed {
  kind: ReferenceKind;
  id: string;
}

/** Keeps all reference records in memory, at most a second old. If an id is not among them, they are read again. */
export class ReferenceService {
  private book = emptyBook;
  private readAtMs = -Infinity;
  private reading: Promise<ReferenceBook> | undefined;

  constructor(
    private readonly model: Model<ReferenceRecord>,
    private readonly clock: () => Date,
  ) {}

  /** A snapshot that is at most a second old; a new one if any of the needed ids is missing in it. */
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
