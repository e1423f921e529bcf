/** The error codes of MongoDB that have a name of their own. The name of any other is Location and its number. */
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
  InvalidIdField: 53,
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
  IDLFailedToParse: 40414,
  IDLUnknownField: 40415,
} as const;

type NamedError = keyof typeof ERROR_CODES;
/** What MongoDB calls a fault. */
type ErrorName = NamedError | `Location${number}`;

/** A refusal. The client hears it with MongoDB's own code and name for the fault. */
export class StoreError extends Error {
  readonly code: number;

  constructor(
    readonly codeName: ErrorName,
    message: string,
    /** Further fields of the answer, such as `keyPattern` and `keyValue`. */
    readonly details: Record<string, unknown> = {},
  ) {
    super(message);
    this.name = 'StoreError';
    this.code = codeName in ERROR_CODES ? ERROR_CODES[codeName as NamedError] : Number(codeName.slice(8));
  }

  /** The answer to a command that is refused. */
  get reply(): Record<string, unknown> {
    const { message, code, codeName, details } = this;
    return { ok: 0, errmsg: message, code, codeName, ...details };
  }
}

/** The refusal of what MongoDB may know and the store does not. It names the way out, under MongoDB's code for the unknown. */
export function unknown(codeName: ErrorName, message: string): StoreError {
  return new StoreError(
    codeName,
    `${message}. The built-in store knows a part of MongoDB only; set MONGODB_URI to use a MongoDB server`,
  );
}

/** The refusal of a whole feature of MongoDB, such as transactions: the code is that of a command not supported. */
export function notSupported(what: string): StoreError {
  return unknown('CommandNotSupported', `${what} is not supported`);
}
