import { deserialize } from 'bson';
import { Collection, type CollectionDescription } from './collection.js';
import type { IndexDefinition } from './index-definition.js';
import type { Storage } from './storage.js';
import { notSupported, StoreError } from './store-error.js';

/** All collections of all databases. */
export class Catalog {
  readonly #collections = new Map<string, Collection>();
  #nextId = 1;

  constructor(private readonly storage: Storage) {}

  /** Reads everything the storage holds into memory. */
  static load(storage: Storage): Catalog {
    const catalog = new Catalog(storage);
    const byId = new Map<number, Collection>();
    for (const { id, bytes } of storage.collections()) {
      const description = deserialize(bytes) as CollectionDescription;
      byId.set(id, catalog.#add(id, description.database, description.name, description.indexes));
    }
    for (const { key, bytes } of storage.records()) {
      byId.get(key[0])?.restore(key[1], deserialize(bytes));
    }
    return catalog;
  }

  find(database: string, name: string): Collection | undefined {
    return this.#collections.get(`${database}.${name}`);
  }

  /** The collection, made if need be, as MongoDB does on a first insert. */
  open(database: string, name: string): Collection {
    const existing = this.find(database, name);
    if (existing !== undefined) return existing;
    assertName(name);
    const collection = this.#add(this.#nextId, database, name, []);
    collection.save();
    return collection;
  }

  /** @throws StoreError NamespaceNotFound */
  get(database: string, name: string): Collection {
    const collection = this.find(database, name);
    if (collection !== undefined) return collection;
    throw new StoreError('NamespaceNotFound', `ns does not exist: ${database}.${name}`);
  }

  drop(collection: Collection): void {
    collection.clear();
    this.storage.removeCollection(collection.id);
    this.#collections.delete(collection.namespace);
  }

  collectionsOf(database: string): Collection[] {
    return [...this.#collections.values()].filter((collection) => collection.database === database);
  }

  all(): Iterable<Collection> {
    return this.#collections.values();
  }

  #add(id: number, database: string, name: string, indexes: readonly IndexDefinition[]): Collection {
    const collection = new Collection(id, this.storage, database, name, indexes);
    this.#collections.set(collection.namespace, collection);
    this.#nextId = Math.max(this.#nextId, id + 1);
    return collection;
  }
}

function assertName(name: string): void {
  if (name.startsWith('system.')) throw notSupported(`The collection ${name}`);
  if (
    name === '' ||
    name.includes('$') ||
    name.includes('\0') ||
    name.startsWith('.') ||
    name.endsWith('.')
  ) {
    throw new StoreError('InvalidNamespace', `Invalid collection name: ${name}`);
  }
}
