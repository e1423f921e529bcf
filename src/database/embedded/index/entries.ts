import type { BsonDocument } from '../values/document.js';
import type { IndexKey } from './keys.js';

/** An update keeps this object, and replaces only `document`. */
export interface StoredRecord {
  /** Increases with every insert. */
  readonly sequence: number;
  /** Never modified: a reader may keep the document while an update assigns a new document. */
  document: BsonDocument;
}

interface IndexEntry {
  /** Comparable with `<`. */
  key: string;
  record: StoredRecord;
}

/** `to` is excluded. */
export interface EntryRange {
  from: number;
  to: number;
}

/** Sorts after every character of a key: keys have only bytes. */
const AFTER_ALL = '\uffff';

/** Ordered by key, then by time of insertion. */
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

  /** The entries whose key begins with `parts` and continues with `low`, `high`, or anything between the two. */
  between(parts: IndexKey, low = '', high = ''): EntryRange {
    const prefix = parts.join('');
    return { from: this.#firstAt(prefix + low), to: this.#firstAt(prefix + high + AFTER_ALL) };
  }

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
