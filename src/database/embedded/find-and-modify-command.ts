import { isDocument, type BsonDocument } from './bson-document.js';
import { collectionName, type Command, type CommandContext } from './command.js';
import { updateOne } from './document-update.js';
import { compileProjection } from './projection.js';
import { findRecords } from './query-executor.js';
import { parseSort } from './sort.js';
import { StoreError } from './store-error.js';
import { compileUpdate } from './update.js';
import { upsertedDocument } from './upsert.js';

/** Finds one document and updates, replaces or removes it, as one step. */
export const findAndModify: Command = {
  options: [
    'query',
    'sort',
    'update',
    'remove',
    'new',
    'fields',
    'upsert',
    'arrayFilters',
    'hint',
    'bypassDocumentValidation',
  ],
  run: (command, context) => {
    const { catalog, database } = context;
    const query = (command.query ?? {}) as BsonDocument;
    if (Boolean(command.remove) === (command.update !== undefined)) {
      throw new StoreError(
        'FailedToParse',
        "Either an 'update' or 'remove'=true must be specified, and not both",
      );
    }
    const collection = catalog.find(database, collectionName('findAndModify', command));
    const [record] = findRecords(collection, {
      filter: query,
      sort: parseSort(command.sort ?? {}),
      limit: 1,
    });
    const project = projectionOf(command.fields, query);
    if (command.remove) {
      if (record !== undefined) collection?.remove(record);
      return { lastErrorObject: { n: record ? 1 : 0 }, value: record ? project(record.document) : null };
    }
    const update = compileUpdate(command.update, command.arrayFilters, {});
    if (record === undefined || collection === undefined) {
      return command.upsert
        ? upsert(command, query, context)
        : { lastErrorObject: { n: 0, updatedExisting: false }, value: null };
    }
    const before = record.document;
    updateOne(collection, record, update, query);
    return {
      lastErrorObject: { n: 1, updatedExisting: true },
      value: project(command.new ? record.document : before),
    };
  },
};

function upsert(
  command: BsonDocument,
  query: BsonDocument,
  { catalog, database }: CommandContext,
): BsonDocument {
  const update = compileUpdate(command.update, command.arrayFilters, {});
  const inserted = upsertedDocument(query, update, command.update);
  catalog.open(database, collectionName('findAndModify', command)).insert(inserted);
  return {
    lastErrorObject: { n: 1, updatedExisting: false, upserted: inserted._id },
    value: command.new ? projectionOf(command.fields, query)(inserted) : null,
  };
}

function projectionOf(fields: unknown, query: BsonDocument): (document: BsonDocument) => BsonDocument {
  if (!isDocument(fields) || Object.keys(fields).length === 0) return (document) => document;
  return compileProjection(fields, { findFilter: query });
}
