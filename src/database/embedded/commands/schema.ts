import { describeIndex, ID_INDEX, parseIndexDefinition } from '../index/definition.js';
import { type BsonDocument } from '../values/document.js';
import { type Command } from './command.js';

const dropDatabase: Command = {
  options: '',
  run: (_command, { catalog, database }) => (catalog.dropDatabase(database) ? { dropped: database } : {}),
};

const createIndexes: Command = {
  options: 'indexes commitQuorum',
  run: (command, { catalog, database }) => {
    const definitions = (command.indexes as BsonDocument[]).map(parseIndexDefinition);
    catalog.open(database, command.createIndexes as string).createIndexes(definitions);
    return {};
  },
};

const listIndexes: Command = {
  options: 'cursor',
  run: (command, { catalog, cursors, database }) => {
    const name = command.listIndexes as string;
    const indexes = [...catalog.get(database, name).indexes].map(({ definition }) =>
      describeIndex(definition),
    );
    return { cursor: cursors.start(`${database}.${name}`, indexes, Infinity) };
  },
};

const dropIndexes: Command = {
  options: 'index',
  run: (command, { catalog, database }) => {
    const collection = catalog.get(database, command.dropIndexes as string);
    const names = [...collection.indexes].map(({ definition }) => definition.name);
    const dropped = command.index === '*' ? names : [command.index as string];
    collection.dropIndexes(dropped.filter((name) => name !== ID_INDEX.name));
    return {};
  },
};

export const schemaCommands = { dropDatabase, createIndexes, listIndexes, dropIndexes };
