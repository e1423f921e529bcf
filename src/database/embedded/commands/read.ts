import { compileProjection, type Projection } from '../language/projection.js';
import { findRecords, type FindQuery } from '../query/find-records.js';
import { compilePipeline } from '../query/pipeline.js';
import { parseSort } from '../query/sort.js';
import { isDocument, type BsonDocument } from '../values/document.js';
import { assert } from '../values/store-error.js';
import { collectionName, type Command, countOption, documentOption } from './command.js';

const find: Command = {
  options: 'filter sort projection skip limit batchSize singleBatch hint allowDiskUse',
  run: (command, { catalog, cursors, database }) => {
    const name = collectionName('find', command);
    const project = projectionOption(command, 'projection');
    const records = findRecords(catalog.find(database, name), {
      filter: documentOption(command, 'filter'),
      sort: parseSort(documentOption(command, 'sort')),
      skip: countOption(command, 'skip'),
      limit: countOption(command, 'limit'),
      hint: command.hint,
    });
    const documents = records.map(({ document }) => project(document));
    const batchSize = countOption(command, 'batchSize');
    return {
      cursor: cursors.start(`${database}.${name}`, documents, batchSize, Boolean(command.singleBatch)),
    };
  },
};

const getMore: Command = {
  options: 'collection batchSize',
  run: (command, { cursors, database }) => {
    const namespace = `${database}.${collectionName('collection', command)}`;
    const count = countOption(command, 'batchSize') || undefined;
    return { cursor: cursors.next(Number(command.getMore), namespace, count) };
  },
};

const killCursors: Command = {
  options: 'cursors',
  run: (command, { cursors }) => {
    for (const id of [command.cursors].flat()) cursors.close(Number(id));
    return {};
  },
};

const aggregate: Command = {
  options: 'pipeline cursor hint allowDiskUse',
  run: (command, { catalog, cursors, database }) => {
    const name = collectionName('aggregate', command);
    assert(isDocument(command.cursor), 'FailedToParse', "The 'cursor' option is required");
    const search = (from: string, query: FindQuery) =>
      findRecords(catalog.find(database, from), query).map(({ document }) => document);
    const { query, run } = compilePipeline(command.pipeline, search);
    const documents = run(search(name, { ...query, hint: command.hint }));
    const batchSize = countOption(command.cursor, 'batchSize');
    return { cursor: cursors.start(`${database}.${name}`, documents, batchSize) };
  },
};

export const readCommands = { find, getMore, killCursors, aggregate };

/** An empty or missing projection returns whole documents. */
export function projectionOption(command: BsonDocument, option: string): Projection {
  const projection = documentOption(command, option);
  return Object.keys(projection).length === 0 ? (document) => document : compileProjection(projection);
}
