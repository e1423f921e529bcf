/** Any other code has the name `Location` followed by the code. */
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
type ErrorName = NamedError | `Location${number}`;

/** Reaches the client with MongoDB's code and name. */
export class StoreError extends Error {
  readonly code: number;

  constructor(
    readonly codeName: ErrorName,
    message: string,
    /** More fields of the reply, such as `keyValue`. */
    readonly details: Record<string, unknown> = {},
  ) {
    super(message);
    this.name = 'StoreError';
    this.code = codeName in ERROR_CODES ? ERROR_CODES[codeName as NamedError] : Number(codeName.slice(8));
  }

  get reply(): Record<string, unknown> {
    const { message, code, codeName, details } = this;
    return { ok: 0, errmsg: message, code, codeName, ...details };
  }
}

/** @throws StoreError unless the condition holds */
export function assert(condition: unknown, codeName: ErrorName, message: string): asserts condition {
  if (!condition) throw new StoreError(codeName, message);
}

/** The error for something that MongoDB may support and the store doesn't. @param codeName MongoDB's error for unknown input */
export function unknown(codeName: ErrorName, message: string): StoreError {
  return new StoreError(
    codeName,
    `${message}. The built-in store supports only part of MongoDB; set MONGODB_URI to use a MongoDB server`,
  );
}

/** For a whole MongoDB feature, such as transactions. */
export const notSupported = (what: string): StoreError =>
  unknown('CommandNotSupported', `${what} is not supported`);
