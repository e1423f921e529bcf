import { type Model, type Types } from 'mongoose';
import { type Page, type PageRequest, pageOf } from '../content/page.js';
import { type HistoryEntry } from './history-entry.js';
import { type StoredEntry } from './history.model.js';
import { type Versioned } from './versioned-records.js';

/** Fields whose values are e-mail addresses: a history says that they changed, not to what. */
const emailFields = new Set(['managerEmails', 'recruiterEmails']);

/** Reads what became of a record: from the entries that still ride in it and from those that have moved. */
export class HistoryService<R extends Versioned> {
  constructor(
    private readonly records: Model<R>,
    private readonly history: Model<StoredEntry>,
  ) {}

  /** A page of the record's changes, newest first (Contract 10.1.2). The cursor is the version that a change made. */
  async page(record: Types.ObjectId, request: PageRequest): Promise<Page<HistoryEntry>> {
    const before = request.afterNumber();
    // The record first: an entry that moves in between is then found in both places rather than in none.
    const pending = await this.pendingOf(record);
    const moved = await this.history
      .find({ record, ...(before !== null && { version: { $lt: before } }) })
      .sort({ version: -1 })
      .limit(request.first + 1)
      .lean<HistoryEntry[]>();
    const byVersion = new Map([...moved, ...pending].map((entry) => [entry.version, entry]));
    const entries = [...byVersion.values()]
      .filter(({ version }) => before === null || version < before)
      .sort((one, other) => other.version - one.version)
      .map(withoutEmails);
    return pageOf(entries, request, ({ version }) => version);
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

const withoutEmails = (entry: HistoryEntry): HistoryEntry => ({
  ...entry,
  changes: entry.changes.map((change) =>
    emailFields.has(change.field) ? { ...change, before: null, after: null } : change,
  ),
});
