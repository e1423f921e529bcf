import { isDeepStrictEqual } from 'node:util';
import { type FieldChange } from './history-entry.js';

/** New values by the path of the record's field; a path may be dotted. */
export type Patch = Record<string, unknown>;

/** The part of a patch that differs from the record, with each value before and after (Contract 10.1). */
export function changesOf(record: object, patch: Patch): FieldChange[] {
  return Object.entries(patch)
    .map(([field, after]) => ({ field, before: valueAt(record, field), after }))
    .filter(({ before, after }) => !isSame(before, after));
}

/** What a record holds at a path; null where there is nothing. */
export function valueAt(record: object, path: string): unknown {
  let value: unknown = record;
  for (const key of path.split('.')) value = (value as Record<string, unknown> | null | undefined)?.[key];
  return value ?? null;
}

function isSame(before: unknown, after: unknown): boolean {
  if (typeof before !== 'object' || typeof after !== 'object' || before === null || after === null) {
    return before === after;
  }
  // Dates and ids by what they print, objects whatever the order of their keys.
  return isDeepStrictEqual(JSON.parse(JSON.stringify(before)), JSON.parse(JSON.stringify(after)));
}
