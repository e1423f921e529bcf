import type { BsonDocument } from './bson-document.js';

/** The error codes of MongoDB that the store answers with, by the name MongoDB gives them. */
const ERROR_CODES = {
  BadValue: 2,
  FailedToParse: 9,
  TypeMismatch: 14,
  Overflow: 15,
  NamespaceNotFound: 26,
  IndexNotFound: 27,
  PathNotViable: 28,
  ConflictingUpdateOperators: 40,
  CursorNotFound: 43,
  NotSingleValueField: 54,
  EmptyFieldName: 56,
  CommandNotFound: 59,
  ImmutableField: 66,
  CannotCreateIndex: 67,
  InvalidOptions: 72,
  InvalidNamespace: 73,
  IndexOptionsConflict: 85,
  IndexKeySpecsConflict: 86,
  CommandNotSupported: 115,
  InvalidPipelineOperator: 168,
  CannotIndexParallelArrays: 171,
  InvalidIndexSpecificationOption: 197,
  BSONObjectTooLarge: 10334,
  DuplicateKey: 11000,
  InvalidIdField: 53,
  Location15952: 15952,
  Location15958: 15958,
  Location15975: 15975,
  Location15976: 15976,
  Location16020: 16020,
  Location17124: 17124,
  Location28818: 28818,
  Location31249: 31249,
  Location31253: 31253,
  Location31254: 31254,
  Location40228: 40228,
  Location40234: 40234,
  Location40323: 40323,
  Location40324: 40324,
  Location40400: 40400,
  IDLFailedToParse: 40414,
  IDLUnknownField: 40415,
  Location40573: 40573,
  Location51091: 51091,
  Location51108: 51108,
  Location51246: 51246,
  Location51270: 51270,
  Location51272: 51272,
} as const;

export type ErrorName = keyof typeof ERROR_CODES;

/** An answer that refuses: reaches the client with MongoDB's own code and name for the fault. */
export class StoreError extends Error {
  readonly code: number;

  constructor(
    readonly codeName: ErrorName,
    message: string,
    /** Further fields of the answer, such as `keyPattern` and `keyValue`. */
    readonly details: BsonDocument = {},
  ) {
    super(message);
    this.name = 'StoreError';
    this.code = ERROR_CODES[codeName];
  }

  /** The answer to a command that is refused. */
  get reply(): BsonDocument {
    const { message, code, codeName, details } = this;
    return { ok: 0, errmsg: message, code, codeName, ...details };
  }
}

/** The refusal of what MongoDB can do and this store does not: never a wrong answer instead. */
export function notSupported(what: string): StoreError {
  return new StoreError(
    'CommandNotSupported',
    `${what} is not supported by the built-in store; set MONGODB_URI to use a MongoDB server`,
  );
}
