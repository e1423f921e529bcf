import { type Catalog } from '../storage/catalog.js';
import { isCount, isDocument, type BsonDocument } from '../values/document.js';
import { assert, notSupported, unknown } from '../values/store-error.js';
import { type Cursors } from './cursors.js';

export interface CommandContext {
  catalog: Catalog;
  cursors: Cursors;
  database: string;
}

/** Runs synchronously, so two commands never interleave. */
export interface Command {
  /** Options that only this command has, separated by spaces. */
  options: string;
  run(command: BsonDocument, context: CommandContext): BsonDocument;
}

/** Options that switch on whole MongoDB features. Drivers may send them switched off. */
const FEATURES = 'collation let remove tailable txnNumber startTransaction autocommit';

/** @throws StoreError CommandNotSupported for a MongoDB feature, IDLUnknownField for anything else that is not in `accepted` */
export function assertOptions(name: string, options: BsonDocument, accepted: string): void {
  const known = accepted.split(' ');
  for (const [option, value] of Object.entries(options)) {
    if (known.includes(option)) continue;
    if (!FEATURES.split(' ').includes(option)) {
      throw unknown('IDLUnknownField', `BSON field '${name}.${option}' is an unknown field`);
    }
    const isOff = value === false || (isDocument(value) && Object.keys(value).length === 0);
    if (!isOff) throw notSupported(`The option ${option} of ${name}`);
  }
}

/** @throws StoreError InvalidNamespace if the command names no collection */
export function collectionName(name: string, command: BsonDocument): string {
  const value = command[name];
  const isName = typeof value === 'string' && value !== '';
  assert(isName, 'InvalidNamespace', `collection name has invalid type or is empty in ${name}`);
  return value;
}

/** @throws StoreError IDLFailedToParse if the option is missing, empty or not a list of documents */
export function documentList(name: string, command: BsonDocument, option: string): BsonDocument[] {
  const value = command[option];
  const isList = Array.isArray(value) && value.length > 0 && value.every(isDocument);
  assert(isList, 'IDLFailedToParse', `BSON field '${name}.${option}' is missing but a required field`);
  return value;
}

/** Checks all statements of a write before any of them runs. @throws StoreError IDLFailedToParse if a filter is missing */
export function statementList(name: string, command: BsonDocument, option: string): BsonDocument[] {
  const statements = documentList(name, command, option);
  const hasFilters = statements.every(({ q }) => (q ?? null) !== null);
  assert(hasFilters, 'IDLFailedToParse', `BSON field '${name}.${option}.q' is missing but a required field`);
  return statements;
}

/** @throws StoreError BadValue if the option is negative or not an integer */
export function countOption(command: BsonDocument, option: string): number | undefined {
  const value = command[option] ?? undefined;
  assert(value === undefined || isCount(value), 'BadValue', `BSON field '${option}' value must be >= 0`);
  return value;
}

/** Returns an empty document if the option is missing. @throws StoreError TypeMismatch for anything else, including null */
export function documentOption(command: BsonDocument, option: string): BsonDocument {
  const { [option]: value = {} } = command;
  assert(isDocument(value), 'TypeMismatch', `Expected field ${option} to be of type object`);
  return value;
}
