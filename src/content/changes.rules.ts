import { isDeepStrictEqual } from 'node:util';

export interface FieldChange {
  /** The field of the record, in the words of the GraphQL schema. */
  field: string;
  before: unknown;
  after: unknown;
}

/** New values by their paths in the record; a path may be dotted. */
export type Patch = Record<string, unknown>;

/** The record with the values of a patch. A path has at most one dot. */
export function patched<R extends object>(record: R, patch: Patch): R {
  const after = { ...record } as Record<string, unknown>;
  for (const [path, value] of Object.entries(patch)) {
    const [key = '', part] = path.split('.');
    after[key] = part ? { ...(after[key] as object), [part]: value } : value;
  }
  return after as R;
}

/** The fields in which a patch differs from the record, each with its value before and after (Contract 10.1). */
export function changesOf(record: object, patch: Patch): FieldChange[] {
  return Object.entries(patch)
    .map(([field, after]) => ({ field, before: valueAt(record, field), after }))
    .filter(({ before, after }) => !isSame(before, after));
}

/** The value at a path of a record; null if there is none. */
export function valueAt(record: object, path: string): unknown {
  let value: unknown = record;
  for (const key of path.split('.')) value = (value as Record<string, unknown> | null | undefined)?.[key];
  return value ?? null;
}

function isSame(before: unknown, after: unknown): boolean {
  if (typeof before !== 'object' || typeof after !== 'object') return before === after;
  // As JSON, dates and ids are equal if they print alike. The order of keys does not count.
  return isDeepStrictEqual(JSON.parse(JSON.stringify(before)), JSON.parse(JSON.stringify(after)));
}
