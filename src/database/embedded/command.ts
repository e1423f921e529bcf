import type { BsonDocument } from './bson-document.js';
import type { Catalog } from './catalog.js';
import type { Cursors } from './cursors.js';
import { notSupported, StoreError } from './store-error.js';

/** What a command works on. */
export interface CommandContext {
  catalog: Catalog;
  cursors: Cursors;
  /** The database that the command names. */
  database: string;
}

/** A command of MongoDB's: runs to its end at once, so that no other sees it half done. */
export interface Command {
  /** The options it takes besides those of every command. Any other is refused. */
  options: readonly string[];
  run(command: BsonDocument, context: CommandContext): BsonDocument;
}

/** Options that every command takes; what they ask for beyond one process, this store has anyway or ignores. */
const COMMON_OPTIONS = new Set(
  '$db lsid $clusterTime $readPreference readConcern writeConcern maxTimeMS maxTimeMSOpTime comment apiVersion apiStrict apiDeprecationErrors'.split(
    ' ',
  ),
);
const TRANSACTION_OPTIONS = new Set(['txnNumber', 'startTransaction', 'autocommit', 'stmtId', 'stmtIds']);
/** Options that MongoDB has and this store does not. */
const REFUSED_OPTIONS = new Set(
  'collation let tailable awaitData noCursorTimeout oplogReplay min max returnKey showRecordId explain validator validationLevel validationAction capped size timeseries viewOn pipeline expireAfterSeconds clusteredIndex changeStreamPreAndPostImages storageEngine encryptedFields'.split(
    ' ',
  ),
);

/**
 * Refuses the options of a command that would otherwise be ignored without a word.
 * @throws StoreError CommandNotSupported for what only MongoDB has, IDLUnknownField for the rest
 */
export function assertOptions(name: string, command: BsonDocument, accepted: readonly string[]): void {
  for (const [option, value] of Object.entries(command)) {
    if (option === name || accepted.includes(option) || COMMON_OPTIONS.has(option)) continue;
    if (TRANSACTION_OPTIONS.has(option)) throw notSupported('A transaction');
    if (REFUSED_OPTIONS.has(option)) {
      // Drivers send some of them switched off.
      if (value === false || isEmptyDocument(value)) continue;
      throw notSupported(`The option ${option} of ${name}`);
    }
    throw new StoreError('IDLUnknownField', `BSON field '${name}.${option}' is an unknown field.`);
  }
}

/** @throws StoreError InvalidNamespace unless the command names a collection */
export function collectionName(name: string, command: BsonDocument): string {
  const value = command[name];
  if (typeof value === 'string' && value !== '') return value;
  throw new StoreError('InvalidNamespace', `collection name has invalid type or is empty in ${name}`);
}

/** An option that is a list of documents. @throws StoreError IDLFailedToParse when it is missing */
export function documentList(name: string, command: BsonDocument, option: string): BsonDocument[] {
  const value = command[option];
  if (Array.isArray(value) && value.length > 0) return value as BsonDocument[];
  throw new StoreError('IDLFailedToParse', `BSON field '${name}.${option}' is missing but a required field`);
}

/** An option that is a count. @throws StoreError BadValue when it is negative or no integer */
export function countOption(command: BsonDocument, option: string): number | undefined {
  const value = command[option];
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0) return value;
  throw new StoreError(
    'BadValue',
    `BSON field '${option}' value must be >= 0, actual value '${JSON.stringify(value)}'`,
  );
}

function isEmptyDocument(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}
