import { deserialize } from 'bson';
import { sortKey, typeBracket } from '../values/sort-key.js';
import { assert, notSupported } from '../values/store-error.js';
import { Collection, type CollectionDescription } from './collection.js';
import { DamagedStoreError } from './data-file.js';
import { type Disk } from './disk.js';

export class Catalog {
  readonly #collections = new Map<string, Collection>();
  #nextId = 1;

  /** @throws DamagedStoreError for data that is not a document */
  constructor(private readonly disk: Disk) {
    const byId = new Map<number, Collection>();
    try {
      for (const { key: id, value } of disk.collections.entries())
        byId.set(id, this.#add(id, deserialize(value) as CollectionDescription));
      for (const { key, value } of disk.records.entries())
        byId.get(key[0])?.restore(key[1], deserialize(value));
    } catch (cause) {
      throw new DamagedStoreError('the store holds data that is not a document', { cause });
    }
  }

  find(database: string, name: string): Collection | undefined {
    return this.#collections.get(`${database}.${name}`);
  }

  /** Finds or creates a collection. @throws StoreError InvalidNamespace, or CommandNotSupported for one of MongoDB's own */
  open(database: string, name: string): Collection {
    const existing = this.find(database, name);
    if (existing !== undefined) return existing;
    if (name.startsWith('system.')) throw notSupported(`The collection ${name}`);
    const isValid = !/^$|^\.|\.$|[$\0]/.test(name);
    assert(isValid, 'InvalidNamespace', `Invalid collection name: ${name}`);
    const collection = this.#add(this.#nextId, { database, name, indexes: [] });
    collection.save();
    return collection;
  }

  /** @throws StoreError NamespaceNotFound */
  get(database: string, name: string): Collection {
    const collection = this.find(database, name);
    assert(collection, 'NamespaceNotFound', `ns does not exist: ${database}.${name}`);
    return collection;
  }

  /** Returns whether the database had collections. */
  dropDatabase(database: string): boolean {
    const dropped = [...this.#collections.values()].filter((collection) => collection.database === database);
    for (const collection of dropped) {
      collection.clear();
      this.disk.collections.remove(collection.id);
      this.#collections.delete(collection.namespace);
    }
    return dropped.length > 0;
  }

  completeIndexes(): void {
    for (const { indexes } of this.#collections.values()) for (const index of indexes) void index.entries;
  }

  deleteExpired(now: Date): void {
    for (const collection of this.#collections.values()) {
      for (const index of collection.indexes) {
        if (index.definition.expireAfterSeconds === undefined) continue;
        const latest = sortKey(new Date(now.getTime() - index.definition.expireAfterSeconds * 1000));
        // Reading `entries` builds the index, so read it only for TTL indexes.
        const { entries } = index;
        const expired = new Set(entries.records(entries.between([], typeBracket(latest), latest)));
        for (const record of expired) collection.remove(record);
      }
    }
  }

  #add(id: number, description: CollectionDescription): Collection {
    const collection = new Collection(id, this.disk, description);
    this.#collections.set(collection.namespace, collection);
    this.#nextId = Math.max(this.#nextId, id + 1);
    return collection;
  }
}
