import type { ObjectId } from 'bson';
import type { BsonDocument } from './bson-document.js';
import { fieldOf, someAt, splitPath } from './field-path.js';
import { compileFilter, type Filter } from './filter.js';
import type { IndexDefinition } from './index-definition.js';
import { IndexEntries } from './index-entries.js';
import { indexKeys } from './index-keys.js';
import { ABSENT_KEY, NULL_KEY, sortKey } from './sort-key.js';
import { StoreError } from './store-error.js';
import type { StoredRecord } from './stored-record.js';

/** An index of a collection: keeps its documents in the order of their keys, and unique ones apart. */
export class CollectionIndex {
  readonly paths: readonly string[];
  readonly #parts: readonly (readonly string[])[];
  readonly #covers: Filter;
  /** Built when it is first needed, so that starting costs nothing and an unused index neither. */
  #entries: IndexEntries | undefined;
  #isMultikey = false;

  constructor(
    readonly definition: IndexDefinition,
    private readonly records: () => Iterable<StoredRecord>,
  ) {
    this.paths = Object.keys(definition.key);
    this.#parts = this.paths.map(splitPath);
    this.#covers = definition.partialFilterExpression
      ? compileFilter(definition.partialFilterExpression)
      : definition.sparse
        ? (document) =>
            this.#parts.some((parts) => someAt(document, parts, 0, (value) => value !== undefined))
        : () => true;
  }

  /** Whether a document has several keys, so that the index neither orders documents nor joins ranges. */
  get isMultikey(): boolean {
    return this.entries && this.#isMultikey;
  }

  get entries(): IndexEntries {
    this.#entries ??= this.#build();
    return this.#entries;
  }

  /**
   * Whether a document may take its place beside all others.
   * @param self the record it replaces
   * @throws StoreError DuplicateKey with `keyPattern` and `keyValue`; CannotIndexParallelArrays
   */
  assertFree(namespace: string, document: BsonDocument, self?: StoredRecord): void {
    const keys = this.#keysOf(document);
    if (!this.definition.unique) return;
    for (const key of keys) {
      for (const owner of this.entries.records(this.entries.startingWith(key))) {
        if (owner !== self) throw duplicateKey(namespace, this.definition, document, key);
      }
    }
  }

  add(record: StoredRecord): void {
    if (this.#entries === undefined) return;
    for (const key of this.#joinedKeys(record.document)) this.#entries.add({ key, record });
  }

  remove(record: StoredRecord): void {
    if (this.#entries === undefined) return;
    for (const key of this.#joinedKeys(record.document)) this.#entries.remove({ key, record });
  }

  /** Whether a change of a document leaves its keys as they are. */
  hasSameKeys(before: BsonDocument, after: BsonDocument): boolean {
    const [old, next] = [this.#joinedKeys(before), this.#joinedKeys(after)];
    return old.length === next.length && old.every((key, position) => key === next[position]);
  }

  #build(): IndexEntries {
    const entries = [];
    for (const record of this.records()) {
      for (const key of this.#joinedKeys(record.document)) entries.push({ key, record });
    }
    return new IndexEntries(entries);
  }

  #joinedKeys(document: BsonDocument): string[] {
    return this.#keysOf(document).map((key) => key.join(''));
  }

  #keysOf(document: BsonDocument) {
    if (!this.#covers(document)) return [];
    const keys = indexKeys(document, this.#parts);
    // An array of one element or none has one key too, but it is still its element that is indexed.
    this.#isMultikey ||= keys.length > 1 || this.#parts.some((parts) => passesArray(document, parts));
    return keys;
  }
}

function passesArray(document: BsonDocument, parts: readonly string[]): boolean {
  let value: unknown = document;
  for (const part of parts) value = Array.isArray(value) ? value : fieldOf(value, part);
  return Array.isArray(value);
}

/** The error of a key that another document has, with the values that collide. */
export function duplicateKey(
  namespace: string,
  { name, key }: IndexDefinition,
  document: BsonDocument,
  collidingKey: readonly string[],
): StoreError {
  const keyValue = Object.fromEntries(
    Object.keys(key).map((path, position) => [
      path,
      valueWithKey(document, path, collidingKey[position] ?? ''),
    ]),
  );
  const shown = Object.entries(keyValue).map(([path, value]) => `${path}: ${show(value)}`);
  const message = `E11000 duplicate key error collection: ${namespace} index: ${name} dup key: { ${shown.join(', ')} }`;
  return new StoreError('DuplicateKey', message, { keyPattern: key, keyValue });
}

/** The value, among those a path reaches, that has a certain key. */
function valueWithKey(document: BsonDocument, path: string, key: string): unknown {
  if (key === NULL_KEY || key === ABSENT_KEY) return null;
  let found: unknown = null;
  someAt(document, splitPath(path), 0, (value) => {
    const candidates = Array.isArray(value) ? [value, ...(value as unknown[])] : [value];
    found = candidates.find((candidate) => sortKey(candidate) === key) ?? found;
    return false;
  });
  return found;
}

function show(value: unknown): string {
  if (value instanceof Date) return `new Date(${value.getTime()})`;
  if (typeof value === 'object' && value !== null && 'toHexString' in value)
    return `ObjectId('${(value as ObjectId).toHexString()}')`;
  return JSON.stringify(value);
}
