import { isDocument } from './bson-document.js';
import type { Collection } from './collection.js';
import { collectionName, type Command, documentList } from './command.js';
import { compileFilter } from './filter.js';
import { ID_INDEX, parseIndexDefinition } from './index-definition.js';
import { sortKey } from './sort-key.js';
import { StoreError } from './store-error.js';

const create: Command = {
  options: ['autoIndexId', 'idIndex', 'indexOptionDefaults', 'flags'],
  run: (command, { catalog, database }) => {
    catalog.open(database, collectionName('create', command));
    return {};
  },
};

const drop: Command = {
  options: [],
  run: (command, { catalog, database }) => {
    const collection = catalog.find(database, collectionName('drop', command));
    if (collection === undefined) return {};
    const nIndexesWas = collection.describeIndexes().length;
    catalog.drop(collection);
    return { nIndexesWas, ns: collection.namespace };
  },
};

const dropDatabase: Command = {
  options: [],
  run: (_command, { catalog, database }) => {
    const collections = catalog.collectionsOf(database);
    for (const collection of collections) catalog.drop(collection);
    return collections.length > 0 ? { dropped: database } : {};
  },
};

const listCollections: Command = {
  options: ['filter', 'nameOnly', 'cursor', 'authorizedCollections'],
  run: (command, { catalog, cursors, database }) => {
    const listed = catalog.collectionsOf(database).map(({ name }) => ({
      name,
      type: 'collection',
      ...(command.nameOnly
        ? {}
        : { options: {}, info: { readOnly: false }, idIndex: { v: 2, ...idIndexKey } }),
    }));
    const documents = listed.filter(compileFilter(command.filter ?? {}));
    return { cursor: cursors.start(`${database}.$cmd.listCollections`, documents, Infinity) };
  },
};

const listDatabases: Command = {
  options: ['filter', 'nameOnly', 'authorizedDatabases'],
  run: (command, { catalog }) => {
    const names = [...new Set([...catalog.all()].map((collection) => collection.database))].sort();
    const databases = names.map((name) =>
      command.nameOnly ? { name } : { name, sizeOnDisk: 0, empty: false },
    );
    return {
      databases: databases.filter(compileFilter(command.filter ?? {})),
      ...(command.nameOnly ? {} : { totalSize: 0 }),
    };
  },
};

const createIndexes: Command = {
  options: ['indexes', 'commitQuorum'],
  run: (command, { catalog, database }) => {
    const name = collectionName('createIndexes', command);
    const definitions = documentList('createIndexes', command, 'indexes').map(parseIndexDefinition);
    const createdCollectionAutomatically = catalog.find(database, name) === undefined;
    const collection = catalog.open(database, name);
    const numIndexesBefore = collection.describeIndexes().length;
    const isChanged = collection.createIndexes(definitions);
    return {
      numIndexesBefore,
      numIndexesAfter: collection.describeIndexes().length,
      ...(isChanged ? { createdCollectionAutomatically } : { note: 'all indexes already exist' }),
    };
  },
};

const listIndexes: Command = {
  options: ['cursor'],
  run: (command, { catalog, cursors, database }) => {
    const name = collectionName('listIndexes', command);
    const indexes = catalog.get(database, name).describeIndexes();
    return { cursor: cursors.start(`${database}.${name}`, indexes, Infinity) };
  },
};

const dropIndexes: Command = {
  options: ['index'],
  run: (command, { catalog, database }) => {
    const collection = catalog.get(database, collectionName('dropIndexes', command));
    const nIndexesWas = collection.describeIndexes().length;
    collection.dropIndexes([command.index].flat().flatMap((wanted) => indexNames(collection, wanted)));
    return { nIndexesWas };
  },
};

export const schemaCommands = {
  create,
  drop,
  dropDatabase,
  listCollections,
  listDatabases,
  createIndexes,
  listIndexes,
  dropIndexes,
};

const idIndexKey = { key: ID_INDEX.key, name: ID_INDEX.name };

/** The indexes that a name, a key or `*` means. @throws StoreError IndexNotFound, InvalidOptions for `_id_` */
function indexNames(collection: Collection, wanted: unknown): string[] {
  const indexes = [...collection.indexes].map(({ definition }) => definition);
  if (wanted === '*') return indexes.map(({ name }) => name).filter((name) => name !== ID_INDEX.name);
  const found = indexes.filter(({ name, key }) =>
    isDocument(wanted) ? sortKey(key) === sortKey(wanted) : name === wanted,
  );
  if (found.some(({ name }) => name === ID_INDEX.name)) {
    throw new StoreError('InvalidOptions', 'cannot drop _id index');
  }
  if (found.length === 0) throw new StoreError('IndexNotFound', `index not found: ${describe(wanted)}`);
  return found.map(({ name }) => name);
}

function describe(wanted: unknown): string {
  return typeof wanted === 'string' ? wanted : JSON.stringify(wanted);
}
