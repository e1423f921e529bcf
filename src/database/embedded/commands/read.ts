import { compileProjection, type Projection } from '../language/projection.js';
import { findRecords, type FindQuery } from '../query/find-records.js';
import { compilePipeline } from '../query/pipeline.js';
import { parseSort } from '../query/sort.js';
import { type BsonDocument } from '../values/document.js';
import { type Command } from './command.js';

interface Find extends BsonDocument {
  find: string;
  filter?: BsonDocument;
  sort?: BsonDocument;
  projection?: BsonDocument;
  skip?: number;
  limit?: number;
  hint?: unknown;
  batchSize?: number;
  singleBatch?: boolean;
}

const find: Command = {
  options: 'filter sort projection skip limit batchSize singleBatch hint allowDiskUse',
  run: (command, { catalog, cursors, database }) => {
    const {
      find: name,
      filter = {},
      sort = {},
      projection,
      batchSize,
      singleBatch,
      ...others
    } = command as Find;
    const project = projectionOf(projection);
    const found = findRecords(catalog.find(database, name), { ...others, filter, sort: parseSort(sort) });
    const documents = found.map(({ document }) => project(document));
    return { cursor: cursors.start(`${database}.${name}`, documents, batchSize, singleBatch) };
  },
};

const getMore: Command = {
  options: 'collection batchSize',
  run: (command, { cursors, database }) => {
    const namespace = `${database}.${command.collection as string}`;
    return {
      cursor: cursors.next(Number(command.getMore), namespace, (command.batchSize as number) || undefined),
    };
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
    const name = command.aggregate as string;
    const { batchSize } = command.cursor as { batchSize?: number };
    const search = (from: string, query: FindQuery) =>
      findRecords(catalog.find(database, from), query).map(({ document }) => document);
    const { query, run } = compilePipeline(command.pipeline as BsonDocument[], search);
    const documents = run(search(name, { ...query, hint: command.hint }));
    return { cursor: cursors.start(`${database}.${name}`, documents, batchSize) };
  },
};

export const readCommands = { find, getMore, killCursors, aggregate };

/** An empty or missing projection returns whole documents. */
export const projectionOf = (projection?: BsonDocument): Projection =>
  projection && Object.keys(projection).length > 0 ? compileProjection(projection) : (document) => document;
