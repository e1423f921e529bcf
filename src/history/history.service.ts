import DataLoader from 'dataloader';
import { type Collection, type Types } from 'mongoose';
import { memoize } from '../memoize.js';
import { type AnswerBudget, asBytes, decode } from '../paging/answer-budget.js';
import { type Page, type PageRequest, pageOf } from '../paging/page.js';
import { recordValidator, type ReportDamaged } from '../database/validate-record.js';
import { DomainError } from '../errors/domain-error.js';
import { type HistoryEntry, type HistoryPosition, type Versioned } from './history-entry.js';
import { historyEntrySchema } from './history.mongoose.js';
import { byEntryId, entriesOf, entryId, type VersionedKind, type StoredEntry } from './history.record.js';
import { type UpdateControl } from './versioned-records.js';

/** This many entries are read even beyond the budget: at most 6 MB if callers made the changes, 86 MB if imports did. */
const fewEntries = 8;

/** The version of a record's oldest entry. */
const firstEntry = 2;

/** If entries were removed, each query searches this many times further back than the last. */
const reachGrowth = 32;

/** Asks for one record's changes up to the shown version, and before the version `before` if not null. */
interface PageQuestion {
  position: HistoryPosition;
  before: number | null;
  request: PageRequest;
}

interface PageDraft {
  record: Types.ObjectId;
  request: PageRequest;
  /** The ids of the page's entries and one more, newest first. May include older entries already found. */
  ids: string[];
  /** The oldest version searched for. */
  oldest: number;
}

interface ReadEntry {
  entry: HistoryEntry;
  bytes: number;
}

/** The entries read so far, by id; null if removed. */
type ReadEntries = Map<string, ReadEntry | null>;

type WithPendingHistory = Pick<Versioned, '_id' | 'version'> & { pendingHistory?: Uint8Array[] };

const isValid = recordValidator('history', historyEntrySchema);

const versionOf = ({ version }: HistoryEntry): number => version;

const readEntry = <Entry = HistoryEntry>(bytes: Uint8Array) => ({
  entry: decode<Entry>(bytes),
  bytes: bytes.length,
});

/** Reads history from the records, and from the collection that older entries move to. */
export class HistoryService {
  /** Each GraphQL document has one budget, and so one reader, which batches the document's pages. */
  private readonly readerOf = memoize(
    (budget: AnswerBudget) =>
      new DataLoader(
        (questions: readonly PageQuestion[]) => budget.enqueue(() => this.readPages(questions, budget)),
        { cache: false },
      ),
  );

  constructor(
    private readonly kind: VersionedKind,
    private readonly records: Pick<Collection<Versioned>, 'find' | 'findOne'>,
    private readonly history: Collection<StoredEntry>,
    /** The names of the inputs of fields, by path, and the paths whose values the history hides (Contract 10.1.3). */
    private readonly fields: { inputNames: ReadonlyMap<string, string>; hidden: readonly string[] },
    private readonly onDamaged: ReportDamaged,
  ) {}

  /** Newest changes first (Contract 10.1.2). The cursor is a version. Pages requested together share database commands. */
  async page(position: HistoryPosition, request: PageRequest): Promise<Page<HistoryEntry>> {
    const question = { position, before: request.afterNumber(), request };
    return request.counted(
      () => this.readerOf(request.budget).load(question),
      (limit) => this.count(position, limit),
    );
  }

  private async count({ record, publicId, version }: HistoryPosition, limit: number): Promise<number> {
    const carried = (await this.carriedBy(publicId, { 'pendingHistory.version': 1 })).map(versionOf);
    const moved = { $lte: version, $lt: Math.min(...carried, Infinity) };
    return (
      carried.filter((one) => one <= version).length +
      (await this.history.countDocuments({ record, version: moved }, { limit }))
    );
  }

  /** The entries in a record. Read them before the collection, as in readPages. */
  private async carriedBy(publicId: string, projection: object): Promise<readonly HistoryEntry[]> {
    const found = await this.records.findOne<Pick<Versioned, 'pendingHistory'>>({ publicId }, { projection });
    return listOf(found?.pendingHistory);
  }

  private async readPages(questions: readonly PageQuestion[], budget: AnswerBudget) {
    if (budget.left <= 0) return questions.map(({ request }) => pageOf([], request, versionOf, true));
    // Read the records before the collection, or an entry that moves in between would be missed.
    const records = await this.records
      .find<WithPendingHistory>(
        { publicId: { $in: questions.map(({ position }) => position.publicId) } },
        { projection: { version: 1, pendingHistory: 1 }, fieldsAsRaw: { pendingHistory: true } },
      )
      .toArray();
    const recordOf = new Map(records.map((record) => [record._id.toHexString(), record]));
    const known: ReadEntries = new Map();
    const pages = questions.map(({ position: { record, version: upTo }, before, request }): PageDraft => {
      const { version = 0, pendingHistory } = recordOf.get(record.toHexString()) ?? {};
      const idOf = (one: number) => entryId(this.kind, record, one);
      const pending = listOf(pendingHistory).map((bytes) => readEntry(bytes));
      for (const read of pending)
        known.set(idOf(read.entry.version), this.validOrNull(idOf(read.entry.version), read));
      // Each version except the first has an entry, so the ids need no query.
      const newest = Math.min(version, upTo, (before ?? Infinity) - 1);
      const length = Math.max(0, Math.min(request.first + 1, newest - 1));
      const versions = Array.from({ length }, (_, index) => newest - index);
      // Entries in the record are newer than entries in the collection.
      const carried = pending.map(({ entry }) => entry.version).filter((one) => one <= newest - length);
      versions.push(...carried.sort((one, other) => other - one));
      return { record, request, ids: versions.map(idOf), oldest: versions.at(-1) ?? 0 };
    });
    for (let reach = 1, bytesLeft = budget.left; ; reach *= reachGrowth) {
      const wanted = pages.flatMap(({ request, ids }) => ids.slice(0, request.first + 1));
      const unread = wanted.filter((id) => !known.has(id));
      const records = pages.map(({ record }) => record);
      bytesLeft = await this.readMoved(records, unread, known, bytesLeft);
      for (const page of pages) page.ids = page.ids.filter((id) => known.get(id) !== null);
      const short = pages.filter(
        ({ request, ids, oldest }) => ids.length <= request.first && oldest > firstEntry,
      );
      if (short.length === 0 || bytesLeft <= 0) return pages.map((page) => this.pageFrom(page, known));
      await this.lookFurther(short, reach);
    }
  }

  private pageFrom({ request, ids, oldest }: PageDraft, known: ReadEntries): Page<HistoryEntry> {
    const entries: HistoryEntry[] = [];
    for (const id of ids) {
      const read = known.get(id);
      // The first entry may exceed the budget, or a long entry might never fit.
      if (entries.length === request.first || !read || !request.budget.take(read.bytes, entries.length === 0))
        return pageOf(entries, request, versionOf, true);
      entries.push(this.toEntry(read.entry));
    }
    return pageOf(entries, request, versionOf, oldest > firstEntry);
  }

  /** Finds older entries, in one query, for pages that removed entries left too short. */
  private async lookFurther(pages: readonly PageDraft[], reach: number): Promise<void> {
    const endOf = ({ request, oldest }: PageDraft) => oldest - reach * (request.first + 1);
    const ranges = pages.map((page) => ({
      record: page.record,
      version: { $lt: page.oldest, $gte: endOf(page) },
    }));
    // With the ranges alone, the built-in store would scan all entries.
    const filter = { record: { $in: pages.map(({ record }) => record) }, $or: ranges };
    const options = { projection: { _id: 0, record: 1, version: 1 }, sort: { version: -1 } } as const;
    const left = await this.history.find(filter, options).toArray();
    for (const page of pages) {
      const [newest, oldest] = [page.oldest, endOf(page)];
      for (const { record, version } of left)
        if (version < newest && version >= oldest && record.equals(page.record))
          page.ids.push(entryId(this.kind, record, version));
      page.oldest = oldest;
    }
  }

  /**
   * Reads the entries in order, a few at a time, until the budget is used up: a full page of the longest entries that callers can make
   * would be 80 MB.
   * @returns the bytes left in the budget
   */
  private async readMoved(
    records: readonly Types.ObjectId[],
    ids: readonly string[],
    known: ReadEntries,
    bytesLeft: number,
  ): Promise<number> {
    for (let at = 0, count = fewEntries; at < ids.length && bytesLeft > 0; at += count, count *= 4) {
      const some = ids.slice(at, at + count);
      const options = { ...asBytes, ...byEntryId };
      for await (const found of this.history.find(entriesOf(records, some), options)) {
        const read = readEntry<StoredEntry>(found as never);
        known.set(read.entry._id, this.validOrNull(read.entry._id, read));
        bytesLeft -= read.bytes;
        // Always read the first few, or long entries would leave the page empty.
        if (bytesLeft <= 0 && at > 0) return bytesLeft;
      }
      for (const id of some) if (!known.has(id)) known.set(id, null);
    }
    return bytesLeft;
  }

  /** A damaged entry counts as removed. */
  private validOrNull(id: string, read: ReadEntry): ReadEntry | null {
    return isValid(read.entry, id, this.onDamaged) ? read : null;
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

  /** @throws DomainError version-conflict with the current version and the fields that changed since the expected one (Contract 9.1.3) */
  async assertVersion(record: Versioned, { expectedVersion }: UpdateControl): Promise<void> {
    if (expectedVersion == null || expectedVersion === record.version) return;
    const changedPaths = await this.fieldsChangedSince(record, expectedVersion);
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
    const carried = await this.carriedBy(publicId, { pendingHistory: 1 });
    const options = { projection: { changes: 1 }, sort: { version: 1 }, limit: mostEntriesNamed } as const;
    const moved = await this.history.find({ record, version: { $gt: version } }, options).toArray();
    const later = carried.filter((entry) => entry.version > version);
    return [...new Set([...moved, ...later].flatMap(({ changes }) => changes.map(({ field }) => field)))];
  }
}

/** A damaged record can have another value. */
const listOf = <Entry extends object>(entries: readonly Entry[] | undefined): readonly Entry[] =>
  ((Array.isArray(entries) ? entries : []) as readonly Entry[]).filter(
    (entry) => entry !== null && typeof entry === 'object',
  );

/** A version conflict names the changed fields of at most this many entries in the collection. */
const mostEntriesNamed = 100;
