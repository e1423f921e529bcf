import { type Catalog } from '../storage/catalog.js';
import { isDocument, type BsonDocument } from '../values/document.js';
import { notSupported, StoreError, unknown } from '../values/store-error.js';
import { type Cursors } from './cursors.js';

/** What a command works on. */
export interface CommandContext {
  catalog: Catalog;
  cursors: Cursors;
  /** The database that the command names. */
  database: string;
}

/** A command of MongoDB's. It runs to its end at once, so that no other command sees it half done. */
export interface Command {
  /** The names of the options that it takes besides those of every command. Any other is refused. */
  options: string;
  run(command: BsonDocument, context: CommandContext): BsonDocument;
}

/** Options that stand for whole features of MongoDB. Drivers send some of them switched off. */
const FEATURES = 'collation let remove tailable txnNumber startTransaction autocommit';

/**
 * Refuses options of a command, or of a statement in it, besides the `accepted` ones, whose names are separated by spaces.
 * @throws StoreError CommandNotSupported for a feature of MongoDB, IDLUnknownField for anything else
 */
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

/** @throws StoreError InvalidNamespace unless the command names a collection */
export function collectionName(name: string, command: BsonDocument): string {
  const value = command[name];
  if (typeof value === 'string' && value !== '') return value;
  throw new StoreError('InvalidNamespace', `collection name has invalid type or is empty in ${name}`);
}

const missing = (name: string, option: string): StoreError =>
  new StoreError('IDLFailedToParse', `BSON field '${name}.${option}' is missing but a required field`);

/** An option that is a list of documents. @throws StoreError IDLFailedToParse when it is missing */
export function documentList(name: string, command: BsonDocument, option: string): BsonDocument[] {
  const value = command[option];
  if (Array.isArray(value) && value.length > 0 && value.every(isDocument)) return value;
  throw missing(name, option);
}

/** The statements of a write. @throws StoreError IDLFailedToParse when one has no filter, before any of them is run */
export function statementList(name: string, command: BsonDocument, option: string): BsonDocument[] {
  const statements = documentList(name, command, option);
  for (const { q } of statements) if ((q ?? null) === null) throw missing(`${name}.${option}`, 'q');
  return statements;
}

/** An option that is a count. @throws StoreError BadValue when it is negative or no integer */
export function countOption(command: BsonDocument, option: string): number | undefined {
  const value = command[option] ?? undefined;
  if (value === undefined || (Number.isInteger(value) && (value as number) >= 0)) return value as number;
  throw new StoreError('BadValue', `BSON field '${option}' value must be >= 0`);
}

/** An option that is a document; an empty one when it is missing. @throws StoreError TypeMismatch for anything else, null too */
export function documentOption(command: BsonDocument, option: string): BsonDocument {
  const { [option]: value = {} } = command;
  if (isDocument(value)) return value;
  throw new StoreError('TypeMismatch', `Expected field ${option} to be of type object`);
}
