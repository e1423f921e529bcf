const codes = {
  BadValue: 2,
  NamespaceNotFound: 26,
  CursorNotFound: 43,
  IndexOptionsConflict: 85,
  IndexKeySpecsConflict: 86,
  CommandNotSupported: 115,
  BSONObjectTooLarge: 10334,
  DuplicateKey: 11000,
} as const;

/** Reaches the client with MongoDB's code and name. */
export class StoreError extends Error {
  readonly code: number;

  constructor(
    readonly codeName: keyof typeof codes,
    message: string,
  ) {
    super(message);
    this.name = 'StoreError';
    this.code = codes[codeName];
  }

  get reply(): Record<string, unknown> {
    const { message, code, codeName } = this;
    return { ok: 0, errmsg: message, code, codeName };
  }
}

/** @throws StoreError unless the condition holds */
export function assert(condition: unknown, codeName: keyof typeof codes, message: string): asserts condition {
  if (!condition) throw new StoreError(codeName, message);
}

/** The error for what MongoDB may support and the store does not. */
export const notSupported = (what: string): StoreError =>
  new StoreError(
    'CommandNotSupported',
    `${what} is not supported. The built-in store supports only part of MongoDB; set MONGODB_URI to use a MongoDB server`,
  );
