import { isDocument, type BsonDocument } from './bson-document.js';
import { collectionName, type Command, type CommandContext, countOption } from './command.js';
import { someAt, splitPath } from './field-path.js';
import { type PipelineSource } from './pipeline-source.js';
import { compilePipeline, readStage } from './pipeline.js';
import { compileProjection } from './projection.js';
import { findRecords } from './query-executor.js';
import { parseSort } from './sort.js';
import { sortKey } from './sort-key.js';
import { StoreError } from './store-error.js';

const find: Command = {
  options: [
    'filter',
    'sort',
    'projection',
    'skip',
    'limit',
    'batchSize',
    'singleBatch',
    'hint',
    'allowDiskUse',
    'allowPartialResults',
  ],
  run: (command, { catalog, cursors, database }) => {
    const name = collectionName('find', command);
    const filter = filterOption(command.filter);
    const records = findRecords(catalog.find(database, name), {
      filter,
      sort: parseSort(command.sort ?? {}),
      skip: countOption(command, 'skip') ?? 0,
      limit: countOption(command, 'limit') ?? 0,
    });
    const isProjected = isDocument(command.projection) && Object.keys(command.projection).length > 0;
    const project = isProjected ? compileProjection(command.projection, { findFilter: filter }) : undefined;
    const documents = records.map(({ document }) => (project ? project(document) : document));
    const batchSize = countOption(command, 'batchSize');
    return {
      cursor: cursors.start(`${database}.${name}`, documents, batchSize, Boolean(command.singleBatch)),
    };
  },
};

const getMore: Command = {
  options: ['collection', 'batchSize', 'term', 'lastKnownCommittedOpTime'],
  run: (command, { cursors, database }) => {
    const namespace = `${database}.${collectionName('collection', command)}`;
    return {
      cursor: cursors.next(
        Number(command.getMore),
        namespace,
        countOption(command, 'batchSize') || undefined,
      ),
    };
  },
};

const killCursors: Command = {
  options: ['cursors'],
  run: (command, { cursors }) => {
    const ids = (Array.isArray(command.cursors) ? command.cursors : []) as number[];
    const cursorsKilled = ids.filter((id) => cursors.close(id));
    const cursorsNotFound = ids.filter((id) => !cursorsKilled.includes(id));
    return { cursorsKilled, cursorsNotFound, cursorsAlive: [], cursorsUnknown: [] };
  },
};

const count: Command = {
  options: ['query', 'skip', 'limit', 'hint', 'fields'],
  run: (command, { catalog, database }) => {
    const collection = catalog.find(database, collectionName('count', command));
    const filter = filterOption(command.query);
    const query = {
      filter,
      skip: countOption(command, 'skip') ?? 0,
      limit: countOption(command, 'limit') ?? 0,
    };
    const isWhole = Object.keys(filter).length + query.skip + query.limit === 0;
    return { n: isWhole ? (collection?.size ?? 0) : findRecords(collection, query).length };
  },
};

const distinct: Command = {
  options: ['key', 'query', 'hint'],
  run: (command, { catalog, database }) => {
    const collection = catalog.find(database, collectionName('distinct', command));
    const parts = splitPath(typeof command.key === 'string' ? command.key : '');
    const values = new Map<string, unknown>();
    for (const { document } of findRecords(collection, { filter: filterOption(command.query) })) {
      someAt(document, parts, 0, (value) => {
        for (const element of [value].flat())
          if (element !== undefined) values.set(sortKey(element), element);
        return false;
      });
    }
    return { values: [...values].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, value]) => value) };
  },
};

const aggregate: Command = {
  options: ['pipeline', 'cursor', 'hint', 'allowDiskUse', 'bypassDocumentValidation'],
  run: (command, context) => {
    const { cursors, database } = context;
    const name = collectionName('aggregate', command);
    if (!isDocument(command.cursor)) throw new StoreError('FailedToParse', "The 'cursor' option is required");
    const pipeline = Array.isArray(command.pipeline) ? (command.pipeline as unknown[]) : [];
    const source = sourceOf(context);
    const run = compilePipeline(pipeline, source, {});
    // What a leading $match finds through an index need not be looked for among all documents.
    const [stage, operand] = pipeline.length > 0 ? readStage(pipeline[0]) : [];
    const documents = run(source.find(name, stage === '$match' ? (operand as BsonDocument) : {}));
    return {
      cursor: cursors.start(`${database}.${name}`, documents, countOption(command.cursor, 'batchSize')),
    };
  },
};

export const readCommands = { find, getMore, killCursors, count, distinct, aggregate };

function sourceOf({ catalog, database }: CommandContext): PipelineSource {
  return {
    find: (name, filter) =>
      findRecords(catalog.find(database, name), { filter }).map(({ document }) => document),
  };
}

function filterOption(filter: unknown): BsonDocument {
  if (filter === undefined || filter === null) return {};
  if (isDocument(filter)) return filter;
  throw new StoreError('TypeMismatch', 'the filter must be an object');
}
