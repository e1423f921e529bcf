import { calculateObjectSize, serialize } from 'bson';
import { CollectionIndex, duplicateKey } from '../index/collection-index.js';
import { ID_INDEX, type IndexDefinition, isSameIndex } from '../index/definition.js';
import { type StoredRecord } from '../index/entries.js';
import { type BsonDocument } from '../values/document.js';
import { sortKey } from '../values/sort-key.js';
import { assert } from '../values/store-error.js';
import { type Disk } from './disk.js';

/** MongoDB's limit. */
export const MAX_DOCUMENT_BYTES = 16 * 1024 * 1024;

export interface CollectionDescription {
  database: string;
  name: string;
  indexes: IndexDefinition[];
}

/** Keeps documents and indexes in memory, and passes every change to the disk. */
export class Collection {
  readonly database: string;
  readonly name: string;
  readonly #records = new Map<string, StoredRecord>();
  readonly #indexes = new Map<string, CollectionIndex>();
  #nextSequence = 1;

  constructor(
    readonly id: number,
    private readonly disk: Disk,
    { database, name, indexes }: CollectionDescription,
  ) {
    this.database = database;
    this.name = name;
    for (const definition of [ID_INDEX, ...indexes])
      this.#indexes.set(definition.name, this.#indexOf(definition));
  }

  get namespace(): string {
    return `${this.database}.${this.name}`;
  }

  /** The index of `_id` comes first. */
  get indexes(): Iterable<CollectionIndex> {
    return this.#indexes.values();
  }

  hasIndex(nameOrKey: unknown): boolean {
    const wanted = sortKey(nameOrKey);
    const definitions = [...this.#indexes.values()].map(({ definition }) => definition);
    return definitions.some(({ name, key }) => name === nameOrKey || sortKey(key) === wanted);
  }

  /** In insertion order. */
  records(): Iterable<StoredRecord> {
    return this.#records.values();
  }

  /** @param idKey the sort key of the document's `_id` */
  recordById(idKey: string): StoredRecord | undefined {
    return this.#records.get(idKey);
  }

  restore(sequence: number, document: BsonDocument): void {
    this.#records.set(sortKey(document._id), { sequence, document });
    this.#nextSequence = Math.max(this.#nextSequence, sequence + 1);
  }

  /** @throws StoreError DuplicateKey or BSONObjectTooLarge */
  insert(document: BsonDocument): StoredRecord {
    const idKey = sortKey(document._id);
    if (this.#records.has(idKey)) throw duplicateKey(this.namespace, ID_INDEX);
    const bytes = encode(document);
    for (const index of this.#indexes.values()) index.assertFree(this.namespace, document);
    const record = { sequence: this.#nextSequence++, document };
    this.#records.set(idKey, record);
    for (const index of this.#indexes.values()) index.add(record);
    this.disk.records.put([this.id, record.sequence], bytes);
    return record;
  }

  /** Tells whether the new document differs. @throws StoreError DuplicateKey or BSONObjectTooLarge; the old document then stays */
  replace(record: StoredRecord, document: BsonDocument): boolean {
    const bytes = encode(document);
    if (bytes.equals(serialize(record.document))) return false;
    const changed = [...this.#indexes.values()].filter(
      (index) => !index.hasSameKeys(record.document, document),
    );
    for (const index of changed) index.assertFree(this.namespace, document, record);
    for (const index of changed) index.remove(record);
    record.document = document;
    for (const index of changed) index.add(record);
    this.disk.records.put([this.id, record.sequence], bytes);
    return true;
  }

  remove(record: StoredRecord): void {
    this.#records.delete(sortKey(record.document._id));
    for (const index of this.#indexes.values()) index.remove(record);
    this.disk.records.remove([this.id, record.sequence]);
  }

  clear(): void {
    for (const { sequence } of this.#records.values()) this.disk.records.remove([this.id, sequence]);
    this.#records.clear();
  }

  /**
   * Adds all given indexes or none. Skips existing indexes.
   * @throws StoreError IndexOptionsConflict or IndexKeySpecsConflict if a different index has the name or key, DuplicateKey if documents
   * already break a unique index
   */
  createIndexes(definitions: readonly IndexDefinition[]): void {
    const added = new Map<string, CollectionIndex>();
    for (const definition of definitions) {
      if (isSameIndex(definition, { ...ID_INDEX, unique: definition.unique })) continue;
      const existing = [...this.#indexes.values(), ...added.values()].map((index) => index.definition);
      if (isExisting(definition, existing)) continue;
      const index = this.#indexOf(definition);
      for (const record of this.#records.values()) index.assertFree(this.namespace, record.document, record);
      // Like MongoDB, answer only once the index is complete.
      void index.entries;
      added.set(definition.name, index);
    }
    for (const [name, index] of added) this.#indexes.set(name, index);
    this.save();
  }

  dropIndexes(names: readonly string[]): void {
    for (const name of names) this.#indexes.delete(name);
    this.save();
  }

  save(): void {
    const definitions = [...this.#indexes.values()].map(({ definition }) => definition);
    const indexes = definitions.filter(({ name }) => name !== ID_INDEX.name);
    const description: CollectionDescription = { database: this.database, name: this.name, indexes };
    this.disk.collections.put(this.id, serialize(description));
  }

  #indexOf(definition: IndexDefinition): CollectionIndex {
    return new CollectionIndex(definition, () => this.#records.values());
  }
}

/** @throws StoreError if a different index has the same name or key */
function isExisting(definition: IndexDefinition, existing: readonly IndexDefinition[]): boolean {
  const sameName = existing.find(({ name }) => name === definition.name);
  if (sameName !== undefined) {
    const isSame = isSameIndex(sameName, definition);
    const code = isSame ? 'IndexOptionsConflict' : 'IndexKeySpecsConflict';
    const isEqual = isSame && sameName.expireAfterSeconds === definition.expireAfterSeconds;
    assert(isEqual, code, `An existing index has the name of the requested index: ${sameName.name}`);
    return true;
  }
  const sameKey = existing.find((other) => isSameIndex(other, definition));
  assert(!sameKey, 'IndexOptionsConflict', `Index already exists with a different name: ${sameKey?.name}`);
  return false;
}

function encode(document: BsonDocument): Buffer {
  const size = calculateObjectSize(document);
  const message = `the document has ${size} bytes, and the limit is 16 MiB`;
  assert(size <= MAX_DOCUMENT_BYTES, 'BSONObjectTooLarge', message);
  return Buffer.from(serialize(document));
}
