/** The arguments of an operation with every public id trimmed, in its input or beside it. */
export const trimIds = <Args extends object>(args: Args): Args =>
  Object.fromEntries(
    Object.entries(args).map(([name, value]: [string, unknown]) => [
      name,
      name === 'input' ? trimIds(value as object) : isPublicId(name, value) ? value.trim() : value,
    ]),
  ) as Args;

const isPublicId = (name: string, value: unknown): value is string =>
  typeof value === 'string' && /publicId$/i.test(name);
