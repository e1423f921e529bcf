import { type Middleware } from './request-context.js';

/** The arguments of an operation that name a media, in its input or beside it. */
export interface MediaArguments {
  mediaPublicId?: string;
  input?: { mediaPublicId: string };
}

/** Trims every public id that a caller gives, in an input or beside it, before anything is looked up by it. */
export const trimIds: Middleware = async (
  resolve,
  parent,
  { input, ...others }: MediaArguments,
  context,
  info,
) =>
  resolve(
    parent,
    { ...idsTrimmed(others), ...(input && { input: idsTrimmed(input) }) },
    context,
    info,
  ) as unknown;

const idsTrimmed = <Given extends object>(given: Given): Given =>
  Object.fromEntries(
    Object.entries(given).map(([name, value]: [string, unknown]) => [
      name,
      typeof value === 'string' && /publicId$/i.test(name) ? value.trim() : value,
    ]),
  ) as Given;
