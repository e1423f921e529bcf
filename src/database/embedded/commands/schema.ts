import { describeIndex, ID_INDEX, parseIndexDefinition } from '../index/definition.js';
import { type Collection } from '../storage/collection.js';
import { assert } from '../values/store-error.js';
import { collectionName, type Command, documentList } from './command.js';

const dropDatabase: Command = {
  options: '',
  run: (_command, { catalog, database }) => (catalog.dropDatabase(database) ? { dropped: database } : {}),
};

const createIndexes: Command = {
  options: 'indexes commitQuorum',
  run: (command, { catalog, database }) => {
    const name = collectionName('createIndexes', command);
    const definitions = documentList('createIndexes', command, 'indexes').map(parseIndexDefinition);
    catalog.open(database, name).createIndexes(definitions);
    return {};
  },
};

const listIndexes: Command = {
  options: 'cursor',
  run: (command, { catalog, cursors, database }) => {
    const name = collectionName('listIndexes', command);
    const indexes = [...catalog.get(database, name).indexes].map(({ definition }) =>
      describeIndex(definition),
    );
    return { cursor: cursors.start(`${database}.${name}`, indexes, Infinity) };
  },
};

const dropIndexes: Command = {
  options: 'index',
  run: (command, { catalog, database }) => {
    const collection = catalog.get(database, collectionName('dropIndexes', command));
    collection.dropIndexes([command.index].flat().flatMap((wanted) => indexNames(collection, wanted)));
    return {};
  },
};

export const schemaCommands = { dropDatabase, createIndexes, listIndexes, dropIndexes };

/** `*` means all indexes except `_id_`. @throws StoreError IndexNotFound, or InvalidOptions for `_id_` */
function indexNames(collection: Collection, wanted: unknown): string[] {
  const names = [...collection.indexes].map(({ definition }) => definition.name);
  if (wanted === '*') return names.filter((name) => name !== ID_INDEX.name);
  assert(wanted !== ID_INDEX.name, 'InvalidOptions', 'cannot drop _id index');
  const found = names.filter((name) => name === wanted);
  assert(found.length > 0, 'IndexNotFound', `no index has the name ${JSON.stringify(wanted)}`);
  return found;
}
