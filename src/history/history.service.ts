import { type Model, type Types } from 'mongoose';
import { type Page, type PageRequest, pageOf } from '../content/page.js';
import { batched } from './batched.js';
import { type HistoryEntry } from './history-entry.js';
import { entryId, type RecordKind, type StoredEntry } from './history.model.js';
import { type Versioned } from './versioned-records.js';

/** A page of the changes of one record, those before a version where one is given. */
interface PageQuestion {
  record: Types.ObjectId;
  before: number | null;
  request: PageRequest;
}

/** Reads what became of a record: from the entries that still ride in it and from those that have moved. */
export class HistoryService<R extends Versioned> {
  private readonly readPage = batched((questions: readonly PageQuestion[]) => this.readPages(questions));

  constructor(
    private readonly kind: RecordKind,
    private readonly records: Model<R>,
    private readonly history: Model<StoredEntry>,
    /** Paths whose values are e-mail addresses: a history says that they changed, not to what. */
    private readonly hidden: readonly string[],
  ) {}

  /**
   * A page of the record's changes, newest first (Contract 10.1.2). The cursor is the version that a change made. However
   * many records are asked about in one go, they take two commands to the database.
   */
  async page(record: Types.ObjectId, request: PageRequest): Promise<Page<HistoryEntry>> {
    return this.readPage({ record, before: request.afterNumber(), request });
  }

  private async readPages(questions: readonly PageQuestion[]): Promise<Page<HistoryEntry>[]> {
    // The records first: an entry that moves in between has been seen before it went.
    const records = await this.records
      .find({ _id: { $in: questions.map(({ record }) => record) } }, { version: 1, pendingHistory: 1 })
      .lean<Versioned[]>();
    const recordOf = new Map(records.map((record) => [record._id.toHexString(), record]));
    const pages = questions.map(({ record, before, request }) => {
      const { version = 0, pendingHistory = [] } = recordOf.get(record.toHexString()) ?? {};
      const pending = new Map(pendingHistory.map((entry) => [this.entryId(record, entry.version), entry]));
      // Each version but the first has its entry, so that those of a page are known by name.
      const newest = Math.min(version, (before ?? Infinity) - 1);
      const length = Math.max(0, Math.min(request.first + 1, newest - 1));
      const ids = Array.from({ length }, (_, index) => this.entryId(record, newest - index));
      return { request, ids, pending };
    });
    const movedIds = pages.flatMap(({ ids, pending }) => ids.filter((id) => !pending.has(id)));
    const moved = movedIds.length > 0 ? await this.history.find({ _id: { $in: movedIds } }).lean() : [];
    const movedOf = new Map<string, HistoryEntry>(moved.map((entry) => [entry._id, entry]));
    return pages.map(({ request, ids, pending }) => {
      const entries = ids.flatMap((id) => pending.get(id) ?? movedOf.get(id) ?? []);
      return pageOf(
        entries.map((entry) => this.shown(entry)),
        request,
        ({ version }) => version,
      );
    });
  }

  private shown(entry: HistoryEntry): HistoryEntry {
    const changes = entry.changes.map((change) =>
      this.hidden.includes(change.field) ? { ...change, before: null, after: null } : change,
    );
    return { ...entry, changes };
  }

  private entryId(record: Types.ObjectId, version: number): string {
    return entryId(this.kind, record, version);
  }

  /** The fields that changed after the version given, each once; none where that version is not a past one. */
  async fieldsChangedSince(record: Types.ObjectId, version: number): Promise<string[]> {
    if (version < 1) return [];
    const pending = await this.pendingOf(record);
    const moved = await this.history
      .find({ record, version: { $gt: version } }, { changes: 1 })
      .sort({ version: 1 })
      .limit(mostEntriesNamed)
      .lean<HistoryEntry[]>();
    const later = pending.filter((entry) => entry.version > version);
    return [...new Set([...moved, ...later].flatMap(({ changes }) => changes.map(({ field }) => field)))];
  }

  private async pendingOf(record: Types.ObjectId): Promise<HistoryEntry[]> {
    const found = await this.records
      .findById(record, { pendingHistory: 1 })
      .lean<Pick<Versioned, 'pendingHistory'>>();
    return found?.pendingHistory ?? [];
  }
}

/** A conflict with a version of long ago need not name more than the fields of so many entries. */
const mostEntriesNamed = 100;
