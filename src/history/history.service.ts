import DataLoader from 'dataloader';
import { type Collection, mongo, Schema, type Types } from 'mongoose';
import { memoize } from '../memoize.js';
import { type ReplyBudget, asBytes, decode } from '../paging/reply-budget.js';
import { type Page, type PageRequest, pageOf } from '../paging/page.js';
import { type Hinting } from '../database/indexes.js';
import { ReadableRecords } from '../database/readable-records.js';
import { DomainError } from '../errors/domain-error.js';
import { type HistoryEntry, type HistoryPosition, type Versioned } from './history-entry.js';
import { historyEntrySchema } from './history.mongoose.js';
import { byEntryId, entriesOf, entryId, type VersionedKind, type StoredEntry } from './history.record.js';
import { type MutationControl, type VersionCheck } from './versioned-records.js';

/** Most pages need no more, and the next query asks for more. */
const fewEntries = 8;

/** Stops the read of records that carry entries, such as the jobs of a page. One record alone can have as much. */
const mostCarriedBytes = 2 ** 23;

/** Asks for one record's changes up to the shown version, and before the version `before` if not null. */
interface PageQuestion {
  position: HistoryPosition;
  before: number | null;
  request: PageRequest;
}

interface ReadEntry {
  /** Null if it cannot be read. */
  entry: HistoryEntry | null;
  bytes: number;
}

/** The entries read so far, by id; null if there is none: it was removed, or is the first of an imported record. */
type ReadEntries = Map<string, ReadEntry | null>;

const readableEntries = new ReadableRecords(historyEntrySchema);
const readableRecords = new ReadableRecords(
  new Schema({ version: { type: Number, required: true }, pendingHistory: [historyEntrySchema] }),
);
const ofRecords = { projection: { publicId: 1, version: 1, pendingHistory: 1 } } as const;

const versionOf = ({ version }: HistoryEntry): number => version;
const sizeOf = (entry: HistoryEntry): number => mongo.BSON.calculateObjectSize(entry);

/** Reads history from the records, and from the collection that older entries move to. */
export class HistoryService implements VersionCheck {
  /** Each GraphQL document has one budget, and so one reader, which batches the document's pages. */
  private readonly readerOf = memoize(
    (budget: ReplyBudget) =>
      new DataLoader(
        (questions: readonly PageQuestion[]) => budget.enqueue(() => this.readPages(questions, budget)),
        { cache: false },
      ),
  );

  constructor(
    private readonly kind: VersionedKind,
    private readonly records: Pick<Collection<Versioned>, 'find'> & Hinting,
    private readonly history: Collection<StoredEntry>,
    /** The names of the inputs of fields, by path, and the paths whose values the history hides. */
    private readonly fields: { inputNames: ReadonlyMap<string, string>; hidden: readonly string[] },
  ) {}

  /** Newest changes first. The cursor is a version. Pages requested together share database commands. */
  async page(position: HistoryPosition, request: PageRequest): Promise<Page<HistoryEntry>> {
    const question = { position, before: request.afterNumber(), request };
    return request.counted(
      () => this.readerOf(request.budget).load(question),
      (limit) => this.count(position, limit),
    );
  }

  private async count({ record, publicId, version }: HistoryPosition, limit: number): Promise<number> {
    const carried = (await this.carriedBy(publicId)).map(versionOf);
    const moved = { $lte: version, $lt: Math.min(...carried, Infinity) };
    return (
      carried.filter((one) => one <= version).length +
      (await this.history.countDocuments({ record, version: moved }, { limit }))
    );
  }

  /** The entries in a record. Read them before the collection, as in readPages. */
  private async carriedBy(publicId: string): Promise<readonly HistoryEntry[]> {
    const [found] = (await this.readRecords([publicId])).records;
    return found?.pendingHistory ?? [];
  }

  /** @returns the records, and whether these are all */
  private async readRecords(
    publicIds: readonly string[],
  ): Promise<{ records: Versioned[]; isWhole: boolean }> {
    const records: Versioned[] = [];
    let bytesLeft = mostCarriedBytes;
    for await (const record of this.records.find({ publicId: { $in: publicIds } }, ofRecords)) {
      if (readableRecords.has(this.records, record)) records.push(record);
      for (const entry of record.pendingHistory) bytesLeft -= sizeOf(entry);
      if (bytesLeft <= 0) return { records, isWhole: false };
    }
    return { records, isWhole: true };
  }

  private async readPages(questions: readonly PageQuestion[], budget: ReplyBudget) {
    if (budget.left <= 0) return questions.map(({ request }) => pageOf([], request, versionOf, true));
    // Read the records before the collection, or an entry that moves in between would be missed.
    const { records, isWhole } = await this.readRecords(questions.map(({ position }) => position.publicId));
    const recordOf = new Map(records.map((record) => [record._id.toHexString(), record]));
    const known: ReadEntries = new Map();
    const wanted = questions.map(({ position: { record, version: upTo }, before, request }) => {
      const carrying = recordOf.get(record.toHexString());
      if (!carrying && !isWhole) return null;
      const { version = upTo, pendingHistory = [] } = carrying ?? {};
      const idOf = (one: number) => entryId(this.kind, record, one);
      for (const entry of pendingHistory) known.set(idOf(entry.version), { entry, bytes: sizeOf(entry) });
      // Each version has an entry, so the ids need no query: newest first, and one more than the page has.
      const newest = Math.min(version, upTo, (before ?? Infinity) - 1);
      const length = Math.max(0, Math.min(request.first + 1, newest));
      return Array.from({ length }, (_, index) => idOf(newest - index));
    });
    await this.readMoved(
      questions.map(({ position }) => position.record),
      wanted.flatMap((ids) => (ids ? [ids] : [])),
      known,
      budget.left,
    );
    return questions.map(({ request }, index) => {
      const ids = wanted[index];
      return ids ? this.pageFrom(ids, request, known) : pageOf([], request, versionOf, true);
    });
  }

  /** The only read of entries in the collection: a few of each page at a time, newest first, until they have `bytesLeft`. */
  private async readMoved(
    records: readonly Types.ObjectId[],
    wanted: readonly string[][],
    known: ReadEntries,
    bytesLeft: number,
  ): Promise<void> {
    const unread = wanted.map((ids) => ids.filter((id) => !known.has(id)));
    const longest = Math.max(0, ...unread.map(({ length }) => length));
    for (let at = 0, count = fewEntries; at < longest; at += count, count *= 4) {
      const ids = unread.flatMap((each) => each.slice(at, at + count));
      const options = { ...asBytes, ...byEntryId, sort: { version: -1 } } as const;
      for await (const found of this.history.find(entriesOf(records, ids), options)) {
        const { length: bytes } = found as unknown as Uint8Array;
        const entry = decode<StoredEntry>(found as unknown as Uint8Array);
        known.set(entry._id, { entry: readableEntries.has(this.history, entry) ? entry : null, bytes });
        bytesLeft -= bytes;
        if (bytesLeft <= 0) return;
      }
      for (const id of ids) if (!known.has(id)) known.set(id, null);
    }
  }

  private pageFrom(ids: readonly string[], request: PageRequest, known: ReadEntries): Page<HistoryEntry> {
    const entries: HistoryEntry[] = [];
    // Removed entries are older than all that are left.
    const left = ids.filter((id) => known.get(id) !== null);
    for (const id of left) {
      const read = known.get(id);
      // The first entry may exceed the budget, or a long entry might never fit.
      if (entries.length === request.first || !read || !request.budget.take(read.bytes, entries.length === 0))
        return pageOf(entries, request, versionOf, true);
      if (read.entry) entries.push(this.toEntry(read.entry));
    }
    return pageOf(entries, request, versionOf, left.length > request.first);
  }

  private toEntry(entry: HistoryEntry): HistoryEntry {
    const changes = entry.changes.map((change) => ({
      ...change,
      field: this.inputNameOf(change.field),
      ...(this.fields.hidden.includes(change.field) && { before: null, after: null }),
    }));
    return { ...entry, changes };
  }

  /** A path that no update writes is its own name. */
  private inputNameOf = (path: string): string => this.fields.inputNames.get(path) ?? path;

  async assertVersion(record: Versioned, { expectedVersions: expected }: MutationControl): Promise<void> {
    if (!expected || expected.includes(record.version)) return;
    const former = expected.filter((version) => version < record.version);
    const changedPaths = await this.fieldsChangedSince(record, Math.max(0, ...former));
    const changedFields = changedPaths.map(this.inputNameOf);
    throw new DomainError('version-conflict', {
      current: { version: record.version, changedPaths, changedFields },
    });
  }

  /** By their paths. Empty if the record never had this version, or still has it. */
  async fieldsChangedSince(
    { _id: record, publicId }: Pick<Versioned, '_id' | 'publicId'>,
    version: number,
  ): Promise<string[]> {
    if (version < 1) return [];
    // An import's entry can have 10 MB of values.
    const carried = await this.carriedBy(publicId);
    const options = {
      projection: { 'changes.field': 1 },
      sort: { version: 1 },
      limit: mostEntriesNamed,
    } as const;
    const moved = await this.history.find({ record, version: { $gt: version } }, options).toArray();
    const later = carried.filter((entry) => entry.version > version);
    return [...new Set([...moved, ...later].flatMap(({ changes }) => changes.map(({ field }) => field)))];
  }
}

/** A version conflict names the changed fields of at most this many entries in the collection. */
const mostEntriesNamed = 100;
