import { type Model, type Types } from 'mongoose';
import { type AnswerBudget, sizeOf } from '../content/answer-budget.js';
import { type Page, type PageRequest, pageOf } from '../content/page.js';
import { batched } from './batched.js';
import { type HistoryEntry, type ShownHistory, type Versioned } from './history-entry.js';
import { entryId, type VersionedKind, type StoredEntry } from './history.model.js';

/** How many entries are read at first, however long they are: 6 MB of callers' changes at most, 86 MB of imports. */
const fewEntries = 8;

/** Asks for a page of one record's changes as far as they are shown; if `before` is given, of those before that version. */
interface PageQuestion {
  shown: ShownHistory;
  before: number | null;
  request: PageRequest;
}

/** What a page is made of. */
interface Asked {
  record: Types.ObjectId;
  request: PageRequest;
  /** Those of its entries and of the one that follows, newest first. */
  ids: readonly string[];
  /** The entries that the record carries, by id. */
  pending: ReadonlyMap<string, HistoryEntry>;
  /** The oldest version of `ids`. */
  oldest: number;
}

const versionOf = ({ version }: HistoryEntry): number => version;

/** Reads the history of records: the entries that are still stored in a record, and those that moved to the collection. */
export class HistoryService<R extends Versioned> {
  /** Each document has a budget of its own, and its pages are read together. */
  private readonly readers = new WeakMap<AnswerBudget, (page: PageQuestion) => Promise<Page<HistoryEntry>>>();

  constructor(
    private readonly kind: VersionedKind,
    private readonly records: Model<R>,
    private readonly history: Model<StoredEntry>,
    /** Paths of which a history says that they changed, but not to what (Contract 10.1.3). */
    private readonly hidden: readonly string[],
  ) {}

  /**
   * A page of the record's changes, newest first (Contract 10.1.2). The cursor is the version that a change made. The pages
   * of many records that are asked for at the same time take only a few commands to the database, and one more for each page of
   * which entries were removed.
   */
  async page(shown: ShownHistory, request: PageRequest): Promise<Page<HistoryEntry>> {
    const { budget } = request;
    const read =
      this.readers.get(budget) ??
      batched((questions: readonly PageQuestion[]) => budget.inTurn(() => this.readPages(questions, budget)));
    this.readers.set(budget, read);
    return read({ shown, before: request.afterNumber(), request });
  }

  private async readPages(
    questions: readonly PageQuestion[],
    budget: AnswerBudget,
  ): Promise<Page<HistoryEntry>[]> {
    if (budget.left <= 0) return questions.map(({ request }) => pageOf([], request, versionOf, true));
    // The records are read before the collection: otherwise an entry that moves in between would be in neither.
    const records = await this.records
      .find({ _id: { $in: questions.map(({ shown }) => shown.record) } }, { version: 1, pendingHistory: 1 })
      .lean<Versioned[]>();
    const recordOf = new Map(records.map((record) => [record._id.toHexString(), record]));
    const pages = questions.map(({ shown: { record, version: shown }, before, request }): Asked => {
      const { version = 0, pendingHistory = [] } = recordOf.get(record.toHexString()) ?? {};
      const pending = new Map(
        pendingHistory.map((entry) => [entryId(this.kind, record, entry.version), entry]),
      );
      // Every version but the first has an entry, so we know the ids of a page's entries without a query.
      const newest = Math.min(version, shown, (before ?? Infinity) - 1);
      const length = Math.max(0, Math.min(request.first + 1, newest - 1));
      const ids = Array.from({ length }, (_, index) => entryId(this.kind, record, newest - index));
      return { record, request, ids, pending, oldest: newest - length + 1 };
    });
    const moved = await this.readMoved(
      pages.flatMap(({ ids, pending }) => ids.filter((id) => !pending.has(id))),
      budget,
    );
    const read: Page<HistoryEntry>[] = [];
    for (const page of pages) read.push(await this.pageFrom(page, moved));
    return read;
  }

  private async pageFrom(page: Asked, moved: ReadonlyMap<string, HistoryEntry | null>) {
    const { request } = page;
    const entries: HistoryEntry[] = [];
    for await (const entry of this.entriesOf(page, moved)) {
      const shown = entry && this.shown(entry);
      // The record has used some of the budget, so that its longest entry might never fit where it may not exceed it.
      if (entries.length === request.first || !shown || !request.budget.take(shown, entries.length === 0))
        return pageOf(entries, request, versionOf, true);
      entries.push(shown);
    }
    return pageOf(entries, request, versionOf, false);
  }

  /** The entries with the ids of a page, undefined where one was not read. If some were removed, older ones follow. */
  private async *entriesOf(
    { record, request, ids, pending, oldest }: Asked,
    moved: ReadonlyMap<string, HistoryEntry | null>,
  ): AsyncGenerator<HistoryEntry | undefined> {
    const found = ids.map((id) => pending.get(id) ?? moved.get(id)).filter((entry) => entry !== null);
    yield* found;
    if (found.length === ids.length) return;
    let before = oldest;
    const older = [...pending.values()].filter(({ version }) => version < oldest);
    for (const entry of older.sort((one, other) => other.version - one.version)) {
      before = entry.version;
      yield entry;
    }
    yield* this.history
      .find({ record, version: { $lt: before } })
      .sort({ version: -1 })
      .limit(request.first + 1)
      .lean()
      .cursor();
  }

  /**
   * The entries with these ids from the collection; null for those that were removed. They are read in order, a few at a
   * time, and only as far as the budget may reach: a page of the longest entries of callers would be 80 MB.
   */
  private async readMoved(
    ids: readonly string[],
    budget: AnswerBudget,
  ): Promise<Map<string, HistoryEntry | null>> {
    const moved = new Map<string, HistoryEntry | null>();
    let bytesLeft = budget.left;
    for (let at = 0, count = fewEntries; at < ids.length && bytesLeft > 0; at += count, count *= 4) {
      const some = ids.slice(at, at + count);
      for await (const entry of this.history
        .find({ _id: { $in: some } })
        .lean()
        .cursor()) {
        moved.set(entry._id, entry);
        bytesLeft -= sizeOf(entry);
        // The first few are read in any case: a page must not be empty because its entries are long.
        if (bytesLeft <= 0 && at > 0) return moved;
      }
      for (const id of some) if (!moved.has(id)) moved.set(id, null);
    }
    return moved;
  }

  private shown(entry: HistoryEntry): HistoryEntry {
    const changes = entry.changes.map((change) =>
      this.hidden.includes(change.field) ? { ...change, before: null, after: null } : change,
    );
    return { ...entry, changes };
  }

  /** The fields that changed after this version, each once; none if it is not a past version. */
  async fieldsChangedSince(record: Types.ObjectId, version: number): Promise<string[]> {
    if (version < 1) return [];
    // Read before the collection, as in readPages.
    const found = await this.records
      .findById(record, { pendingHistory: 1 })
      .lean<Pick<Versioned, 'pendingHistory'>>();
    const moved = await this.history
      .find({ record, version: { $gt: version } }, { changes: 1 })
      .sort({ version: 1 })
      .limit(mostEntriesNamed)
      .lean<HistoryEntry[]>();
    const later = (found?.pendingHistory ?? []).filter((entry) => entry.version > version);
    return [...new Set([...moved, ...later].flatMap(({ changes }) => changes.map(({ field }) => field)))];
  }
}

/** A version conflict names the changed fields of at most this many entries. A caller has no use for more. */
const mostEntriesNamed = 100;
