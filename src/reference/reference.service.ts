import { type Collection, type Types } from 'mongoose';
import { inOneReply } from '../database/in-one-reply.js';
import {
  emptyBook,
  ReferenceBook,
  type ReferenceKind,
  type ReferenceRecord,
} from '../content/reference-book.js';

/** Changes made by another process are seen within this time. */
const freshForMs = 1_000;

/** A reference that a request names by a text, or a stored record by an id, and the kind that its field takes. */
interface ReferenceNeed<Id = string | Types.ObjectId> {
  kind: ReferenceKind;
  id: Id;
}

/** Keeps all reference records in memory, at most a second old. If an id is not among them, they are read again. */
export class ReferenceService {
  private book = emptyBook;
  private readAtMs = -Infinity;
  private reading: Promise<ReferenceBook> | undefined;
  /** The 24-hex ids that stored records name and that were looked for in vain. */
  private readonly gone = new Set<string>();

  constructor(
    private readonly records: Collection<ReferenceRecord>,
    private readonly clock: () => Date,
  ) {}

  /** A snapshot that is at most a second old; a new one if any of the needed ids is missing in it. */
  async read(needs: readonly ReferenceNeed[] = []): Promise<ReferenceBook> {
    const isEnough = () =>
      this.clock().getTime() - this.readAtMs < freshForMs &&
      needs.every(({ kind, id }) => this.book.find(kind, id));
    if (isEnough()) return this.book;
    // The read that is under way may have begun before a needed record was there.
    await this.reading;
    if (isEnough()) return this.book;
    this.reading ??= this.load().finally(() => (this.reading = undefined));
    return this.reading;
  }

  /** The same for what stored records name. A removed one is looked for once, or each read that meets it would read all. */
  async readStored(needs: readonly ReferenceNeed<Types.ObjectId>[]): Promise<ReferenceBook> {
    const book = await this.read();
    const missing = needs.filter(({ kind, id }) => !book.find(kind, id) && !this.gone.has(id.toHexString()));
    if (missing.length === 0) return book;
    const newer = await this.read(missing);
    for (const { kind, id } of missing) if (!newer.find(kind, id)) this.gone.add(id.toHexString());
    return newer;
  }

  private async load(): Promise<ReferenceBook> {
    const startedAtMs = this.clock().getTime();
    const sorted = { sort: { kind: 1, publicId: 1 }, ...inOneReply } as const;
    this.book = new ReferenceBook(await this.records.find({}, sorted).toArray());
    this.readAtMs = startedAtMs;
    return this.book;
  }
}
