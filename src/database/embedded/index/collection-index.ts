import { isDeepStrictEqual } from 'node:util';
import { compileFilter, type Filter } from '../language/filter.js';
import { type BsonDocument } from '../values/document.js';
import { someAt, splitPath } from '../values/field-path.js';
import { sortKey } from '../values/sort-key.js';
import { assert, StoreError } from '../values/store-error.js';
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

  /** Ignores `self`. @throws StoreError DuplicateKey with `keyPattern` and `keyValue`, or CannotIndexParallelArrays */
  assertFree(namespace: string, document: BsonDocument, self?: StoredRecord): void {
    const keys = this.#keysOf(document);
    if (!this.definition.unique) return;
    for (const key of keys) {
      for (const owner of this.entries.records(this.entries.between(key))) {
        if (owner !== self) throw duplicateKey(namespace, this.definition, document, key);
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
    assert(arrays < 2, 'CannotIndexParallelArrays', 'two fields of the index have arrays');
    this.#isMultikey ||= arrays > 0;
    return indexKeys(document, this.#parts);
  }
}

export function duplicateKey(
  namespace: string,
  { name, key }: IndexDefinition,
  document: BsonDocument,
  collidingKey: IndexKey,
): StoreError {
  const keyValue: BsonDocument = {};
  for (const [position, path] of Object.keys(key).entries()) {
    keyValue[path] = null;
    someAt(document, splitPath(path), 0, (value) => {
      const isColliding = (candidate: unknown) => sortKey(candidate) === collidingKey[position];
      const found = [value, ...(Array.isArray(value) ? (value as unknown[]) : [])].find(isColliding);
      if (found !== undefined) keyValue[path] = found;
      return found !== undefined;
    });
  }
  const message = `E11000 duplicate key error collection: ${namespace} index: ${name} dup key: ${JSON.stringify(keyValue)}`;
  return new StoreError('DuplicateKey', message, { keyPattern: key, keyValue });
}
