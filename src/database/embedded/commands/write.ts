import { compileUpdate, isReplacement, upsertedDocument, withId } from '../language/update.js';
import { findRecords } from '../query/find-records.js';
import { parseSort } from '../query/sort.js';
import { type BsonDocument } from '../values/document.js';
import { assert, StoreError } from '../values/store-error.js';
import {
  assertOptions,
  collectionName,
  type Command,
  documentList,
  documentOption,
  statementList,
} from './command.js';
import { projectionOption } from './read.js';

const insert: Command = {
  options: 'documents ordered bypassDocumentValidation',
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
  options: 'updates ordered bypassDocumentValidation',
  run: (command, { catalog, database }) => {
    const name = collectionName('update', command);
    const result = { n: 0, nModified: 0 };
    const upserted: BsonDocument[] = [];
    const statements = statementList('update', command, 'updates');
    const writeErrors = eachWrite(statements, command, (statement, index) => {
      assertOptions('update.updates', statement, 'q u upsert multi hint');
      const { u, multi, upsert, hint } = statement;
      const filter = documentOption(statement, 'q');
      assert(!multi || !isReplacement(u), 'FailedToParse', 'a replacement must not have the option multi');
      const change = compileUpdate(u);
      const existing = catalog.find(database, name);
      const records = findRecords(existing, { filter, limit: multi ? 0 : 1, hint });
      // As in MongoDB, an update that fails half-way reports a count of 0, although it has changed documents.
      const changed = records.filter((record) => existing?.replace(record, change(record.document, false)));
      result.nModified += changed.length;
      result.n += records.length;
      if (records.length > 0 || !upsert) return;
      const { document } = catalog.open(database, name).insert(upsertedDocument(filter, change, u));
      upserted.push({ index, _id: document._id });
      result.n++;
    });
    return { ...result, ...(upserted.length > 0 && { upserted }), ...writeErrors };
  },
};

const remove: Command = {
  options: 'deletes ordered',
  run: (command, { catalog, database }) => {
    const collection = catalog.find(database, collectionName('delete', command));
    let n = 0;
    const writeErrors = eachWrite(statementList('delete', command, 'deletes'), command, (statement) => {
      assertOptions('delete.deletes', statement, 'q limit hint');
      const { limit, hint } = statement;
      assert(limit === 0 || limit === 1, 'FailedToParse', 'The limit of a delete must be 0 or 1.');
      const query = { filter: documentOption(statement, 'q'), limit, hint };
      for (const record of findRecords(collection, query)) {
        collection?.remove(record);
        n++;
      }
    });
    return { n, ...writeErrors };
  },
};

const findAndModify: Command = {
  options: 'query sort update new fields upsert hint bypassDocumentValidation',
  run: (command, { catalog, database }) => {
    const name = collectionName('findAndModify', command);
    const { query, sort, fields } = command;
    // As in MongoDB, null means the default for these options.
    const options = { query: query ?? {}, sort: sort ?? {}, fields: fields ?? {} };
    const filter = documentOption(options, 'query');
    const change = compileUpdate(command.update);
    const project = projectionOption(options, 'fields');
    const collection = catalog.find(database, name);
    const [record] = findRecords(collection, {
      filter,
      sort: parseSort(documentOption(options, 'sort')),
      limit: 1,
      hint: command.hint,
    });
    if (record !== undefined) {
      const before = record.document;
      collection?.replace(record, change(before, false));
      const value = project(command.new ? record.document : before);
      return { lastErrorObject: { n: 1, updatedExisting: true }, value };
    }
    if (!command.upsert) return { lastErrorObject: { n: 0, updatedExisting: false }, value: null };
    const inserted = upsertedDocument(filter, change, command.update);
    catalog.open(database, name).insert(inserted);
    return {
      lastErrorObject: { n: 1, updatedExisting: false, upserted: inserted._id },
      value: command.new ? project(inserted) : null,
    };
  },
};

export const writeCommands = { insert, update, delete: remove, findAndModify };

/** An ordered command stops at the first failure. */
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
