import type { BsonDocument } from '../values/document.js';
import type { IndexKey } from './keys.js';

/** A document's place in its collection. */
export interface StoredRecord {
  /** Counts up with every insert, and so gives the natural order. */
  readonly sequence: number;
  /** Every update puts another document here and leaves the old one as it is, so that a reader may keep it. */
  document: BsonDocument;
}

/** A document under one of its keys. */
interface IndexEntry {
  /** The parts of the key, joined, so that whole keys compare with `<`. */
  key: string;
  record: StoredRecord;
}

/** A stretch of entries: from a position up to, not including, another. */
export interface EntryRange {
  from: number;
  to: number;
}

/** Sorts after every key with the same beginning, since keys hold no character above a byte. */
const AFTER_ALL = '\uffff';

/** The entries of an index in order: by key, then by the age of the documents. */
export class IndexEntries {
  readonly #entries: IndexEntry[];

  constructor(entries: IndexEntry[]) {
    this.#entries = entries.sort(compareEntries);
  }

  add(entry: IndexEntry): void {
    this.#entries.splice(this.#positionOf(entry), 0, entry);
  }

  remove(entry: IndexEntry): void {
    const position = this.#positionOf(entry);
    const found = this.#entries[position];
    if (found?.key === entry.key && found.record === entry.record) this.#entries.splice(position, 1);
  }

  /** The entries whose key begins with these parts, and whose next part is from `low` to `high` or begins with it. */
  between(parts: IndexKey, low = '', high = ''): EntryRange {
    const prefix = parts.join('');
    return { from: this.#firstAt(prefix + low), to: this.#firstAt(prefix + high + AFTER_ALL) };
  }

  /** The documents of a range in the order of the index, or the other way round. */
  *records({ from, to }: EntryRange, isReverse = false): Generator<StoredRecord> {
    for (let offset = 0; offset < to - from; offset++) {
      const entry = this.#entries[isReverse ? to - 1 - offset : from + offset];
      if (entry !== undefined) yield entry.record;
    }
  }

  #firstAt(key: string): number {
    return this.#search((entry) => entry.key < key);
  }

  #positionOf(entry: IndexEntry): number {
    return this.#search((other) => compareEntries(other, entry) < 0);
  }

  #search(isBefore: (entry: IndexEntry) => boolean): number {
    let low = 0;
    let high = this.#entries.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const entry = this.#entries[middle];
      if (entry !== undefined && isBefore(entry)) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

function compareEntries(a: IndexEntry, b: IndexEntry): number {
  if (a.key !== b.key) return a.key < b.key ? -1 : 1;
  return a.record.sequence - b.record.sequence;
}
