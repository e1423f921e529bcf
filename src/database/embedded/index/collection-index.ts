import { isDeepStrictEqual } from 'node:util';
import { compileFilter, type Filter } from '../language/filter.js';
import { type BsonDocument } from '../values/document.js';
import { someAt, splitPath } from '../values/field-path.js';
import { notSupported, StoreError } from '../values/store-error.js';
import { type IndexDefinition } from './definition.js';
import { IndexEntries, type StoredRecord } from './entries.js';
import { type IndexKey, indexKeys, passesArray } from './keys.js';

export class CollectionIndex {
  readonly paths: readonly string[];
  readonly #parts: readonly (readonly string[])[];
  readonly #covers: Filter;
  /** Built on first use, because a command such as an import needs few indexes. */
  #entries: IndexEntries | undefined;
  #isMultikey = false;

  constructor(
    readonly definition: IndexDefinition,
    private readonly records: () => Iterable<StoredRecord>,
  ) {
    this.paths = Object.keys(definition.key);
    this.#parts = this.paths.map(splitPath);
    const hasField: Filter = (document) =>
      this.#parts.some((parts) => someAt(document, parts, 0, (value) => value !== undefined));
    this.#covers = definition.sparse ? hasField : compileFilter(definition.partialFilterExpression ?? {});
  }

  /** Whether a document has several keys, by an array. Such an index serves no sort, and only one condition can narrow it. */
  get isMultikey(): boolean {
    return this.entries && this.#isMultikey;
  }

  get isComplete(): boolean {
    return this.#entries !== undefined;
  }

  get entries(): IndexEntries {
    this.#entries ??= new IndexEntries([...this.records()].flatMap((record) => this.#entriesOf(record)));
    return this.#entries;
  }

  /** Ignores `self`. @throws StoreError DuplicateKey */
  assertFree(namespace: string, document: BsonDocument, self?: StoredRecord): void {
    const keys = this.#keysOf(document);
    if (!this.definition.unique) return;
    for (const key of keys) {
      for (const owner of this.entries.records(this.entries.between(key))) {
        if (owner !== self) throw duplicateKey(namespace, this.definition);
      }
    }
  }

  add(record: StoredRecord): void {
    if (this.#entries) for (const entry of this.#entriesOf(record)) this.#entries.add(entry);
  }

  remove(record: StoredRecord): void {
    if (this.#entries) for (const entry of this.#entriesOf(record)) this.#entries.remove(entry);
  }

  hasSameKeys(before: BsonDocument, after: BsonDocument): boolean {
    return isDeepStrictEqual(this.#keysOf(before), this.#keysOf(after));
  }

  #entriesOf(record: StoredRecord) {
    return this.#keysOf(record.document).map((key) => ({ key: key.join(''), record }));
  }

  #keysOf(document: BsonDocument): readonly IndexKey[] {
    if (!this.#covers(document)) return [];
    const arrays = this.#parts.filter((parts) => passesArray(document, parts)).length;
    if (arrays > 1) throw notSupported('An index over two arrays');
    this.#isMultikey ||= arrays > 0;
    return indexKeys(document, this.#parts);
  }
}

export const duplicateKey = (namespace: string, { name }: IndexDefinition): StoreError =>
  new StoreError('DuplicateKey', `E11000 duplicate key error collection: ${namespace} index: ${name}`);
