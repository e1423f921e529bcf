import { compileUpdate, upsertedDocument, withId } from '../language/update.js';
import { findRecords } from '../query/find-records.js';
import { parseSort } from '../query/sort.js';
import { type BsonDocument } from '../values/document.js';
import { StoreError } from '../values/store-error.js';
import { assertOptions, type Command } from './command.js';
import { projectionOf } from './read.js';

interface Statement extends BsonDocument {
  q: BsonDocument;
  hint?: unknown;
}

const insert: Command = {
  options: 'documents ordered bypassDocumentValidation',
  run: (command, { catalog, database }) => {
    const collection = catalog.open(database, command.insert as string);
    let n = 0;
    const writeErrors = eachWrite(command.documents, command, (document: BsonDocument) => {
      collection.insert(withId(document));
      n++;
    });
    return { n, ...writeErrors };
  },
};

const update: Command = {
  options: 'updates ordered bypassDocumentValidation',
  run: (command, { catalog, database }) => {
    const name = command.update as string;
    const result = { n: 0, nModified: 0 };
    const upserted: BsonDocument[] = [];
    const writeErrors = eachWrite(command.updates, command, (statement: Statement, index) => {
      assertOptions('update', statement, 'q u upsert multi hint');
      const { q: filter, u, multi, upsert, hint } = statement;
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
    const collection = catalog.find(database, command.delete as string);
    let n = 0;
    const writeErrors = eachWrite(command.deletes, command, (statement: Statement) => {
      assertOptions('delete', statement, 'q limit hint');
      const { q: filter, limit, hint } = statement;
      for (const record of findRecords(collection, { filter, limit: limit as number, hint })) {
        collection?.remove(record);
        n++;
      }
    });
    return { n, ...writeErrors };
  },
};

interface FindAndModify extends BsonDocument {
  findAndModify: string;
  query: BsonDocument;
  sort?: BsonDocument;
  fields?: BsonDocument;
  hint?: unknown;
}

const findAndModify: Command = {
  options: 'query sort update new fields upsert hint bypassDocumentValidation',
  run: (command, { catalog, database }) => {
    const { findAndModify: name, query: filter, sort, fields, hint } = command as FindAndModify;
    const change = compileUpdate(command.update);
    const project = projectionOf(fields);
    const collection = catalog.find(database, name);
    const [record] = findRecords(collection, { filter, sort: parseSort(sort ?? {}), limit: 1, hint });
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
function eachWrite<Written extends BsonDocument>(
  statements: unknown,
  command: BsonDocument,
  write: (statement: Written, index: number) => void,
): { writeErrors?: BsonDocument[] } {
  const writeErrors: BsonDocument[] = [];
  for (const [index, statement] of (statements as Written[]).entries()) {
    try {
      write(statement, index);
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      writeErrors.push({ index, code: error.code, errmsg: error.message });
      if (command.ordered !== false) break;
    }
  }
  return writeErrors.length > 0 ? { writeErrors } : {};
}
