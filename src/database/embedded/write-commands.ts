import type { BsonDocument } from './bson-document.js';
import type { Collection } from './collection.js';
import { collectionName, type Command, type CommandContext, documentList } from './command.js';
import { updateOne, type UpdateRequest } from './document-update.js';
import { findRecords } from './query-executor.js';
import { parseSort } from './sort.js';
import { notSupported, StoreError } from './store-error.js';
import { compileUpdate, isReplacement } from './update.js';
import { upsertedDocument, withId } from './upsert.js';

const UPDATE_FIELDS = new Set(['q', 'u', 'upsert', 'multi', 'arrayFilters', 'hint', 'sort']);
const DELETE_FIELDS = new Set(['q', 'limit', 'hint']);

const insert: Command = {
  options: ['documents', 'ordered', 'bypassDocumentValidation'],
  run: (command, { catalog, database }) => {
    const documents = documentList('insert', command, 'documents');
    const collection = catalog.open(database, collectionName('insert', command));
    let n = 0;
    const writeErrors = eachWrite(documents, command, (document) => {
      collection.insert(withId(document));
      n++;
    });
    return { n, ...writeErrors };
  },
};

const update: Command = {
  options: ['updates', 'ordered', 'bypassDocumentValidation'],
  run: (command, context) => {
    const name = collectionName('update', command);
    const result = { n: 0, nModified: 0 };
    const upserted: BsonDocument[] = [];
    const writeErrors = eachWrite(documentList('update', command, 'updates'), command, (statement, index) => {
      assertFields('update.updates', statement, UPDATE_FIELDS);
      const done = applyStatement(statement, name, context);
      result.n += done.matched;
      result.nModified += done.modified;
      if (done.upsertedId !== undefined) {
        result.n++;
        upserted.push({ index, _id: done.upsertedId });
      }
    });
    return { ...result, ...(upserted.length > 0 ? { upserted } : {}), ...writeErrors };
  },
};

const remove: Command = {
  options: ['deletes', 'ordered'],
  run: (command, { catalog, database }) => {
    const collection = catalog.find(database, collectionName('delete', command));
    let n = 0;
    const writeErrors = eachWrite(documentList('delete', command, 'deletes'), command, (statement) => {
      assertFields('delete.deletes', statement, DELETE_FIELDS);
      const { q, limit } = statement;
      if (limit !== 0 && limit !== 1) {
        throw new StoreError('FailedToParse', 'The limit field in delete objects must be 0 or 1.');
      }
      for (const record of findRecords(collection, { filter: q as BsonDocument, limit })) {
        collection?.remove(record);
        n++;
      }
    });
    return { n, ...writeErrors };
  },
};

export const writeCommands = { insert, update, delete: remove };

function applyStatement(statement: BsonDocument, name: string, { catalog, database }: CommandContext) {
  const request = statement as BsonDocument & UpdateRequest & { multi?: boolean; upsert?: boolean };
  const { q, u, multi = false, upsert = false } = request;
  if (multi && isReplacement(u)) {
    throw new StoreError('FailedToParse', 'multi update is not supported for replacement-style update');
  }
  const change = compileUpdate(u, request.arrayFilters, {});
  const existing = catalog.find(database, name);
  const sort = parseSort(statement.sort ?? {});
  const records = findRecords(existing, { filter: q, sort, limit: multi ? 0 : 1 });
  if (records.length === 0 && upsert) {
    const { document } = catalog.open(database, name).insert(upsertedDocument(q, change, u));
    return { matched: 0, modified: 0, upsertedId: document._id };
  }
  const modified = records.filter((record) => updateOne(existing as Collection, record, change, q)).length;
  return { matched: records.length, modified, upsertedId: undefined };
}

/** Runs the writes of a command one by one; the answer tells each that failed, and an ordered one ends there. */
function eachWrite(
  statements: readonly BsonDocument[],
  command: BsonDocument,
  write: (statement: BsonDocument, index: number) => void,
): { writeErrors?: BsonDocument[] } {
  const writeErrors: BsonDocument[] = [];
  for (const [index, statement] of statements.entries()) {
    try {
      write(statement, index);
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      writeErrors.push({ index, code: error.code, ...error.details, errmsg: error.message });
      if (command.ordered !== false) break;
    }
  }
  return writeErrors.length > 0 ? { writeErrors } : {};
}

function assertFields(name: string, statement: BsonDocument, known: ReadonlySet<string>): void {
  for (const field of Object.keys(statement)) {
    if (known.has(field)) continue;
    if (field === 'collation' || field === 'c') throw notSupported(`The option ${field} of ${name}`);
    throw new StoreError('IDLUnknownField', `BSON field '${name}.${field}' is an unknown field.`);
  }
}
