import { deserialize } from 'bson';
import { sortKey, typeBracket } from '../values/sort-key.js';
import { assert } from '../values/store-error.js';
import { Collection, type CollectionDescription } from './collection.js';
import { type Disk } from './disk.js';

export class Catalog {
  readonly #collections = new Map<string, Collection>();
  #nextId = 1;

  constructor(private readonly disk: Disk) {
    const byId = new Map<number, Collection>();
    for (const { key: id, value } of disk.collections.entries())
      byId.set(id, this.#add(id, deserialize(value) as CollectionDescription));
    for (const { key, value } of disk.records.entries())
      byId.get(key[0])?.restore(key[1], deserialize(value));
  }

  find(database: string, name: string): Collection | undefined {
    return this.#collections.get(`${database}.${name}`);
  }

  /** Finds or creates a collection. */
  open(database: string, name: string): Collection {
    const existing = this.find(database, name);
    if (existing !== undefined) return existing;
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
