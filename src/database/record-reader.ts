import { type Document } from 'mongodb';
import { decode } from '../paging/reply-budget.js';
import { isPlainObject } from './readable-records.js';

/** The part of each record that a query reads. */
export interface RecordReader<Stored> {
  projection: Document;
  complete: (record: Stored) => Stored;
  decode: (bytes: Uint8Array) => Stored;
}

/**
 * If the projection has only parts of an object, databases drop a value that is not an object. It then counts as absent.
 * @param blank the defaults of the fields that a record may lack
 */
export function recordReader<Stored extends object>(
  blank: object,
  projection: Document = {},
): RecordReader<Stored> {
  const named = Object.keys(projection).filter((path) => path !== '_id');
  const isIncluding = named.some((path) => projection[path] === 1);
  const isRead = (path: string) =>
    isIncluding === named.some((each) => path === each || path.startsWith(`${each}.`));
  const complete = withDefaults<Stored>(blank, isRead);
  return { projection, complete, decode: (bytes) => complete(decode<Stored>(bytes)) };
}

/**
 * Returns a function that adds to an object the defaults of what it lacks, and returns it: records and stored replies can be older than a
 * field.
 * @param isMeant whether to add what is at a path
 */
export function withDefaults<Lacking extends object>(
  blank: object,
  isMeant: (path: string) => boolean = () => true,
): (object: Lacking) => Lacking {
  const defaults = defaultsIn(blank, isMeant);
  return (object) => {
    fill(object as Record<string, unknown>, defaults);
    return object;
  };
}

interface Defaults {
  values: readonly (readonly [string, unknown])[];
  objects: readonly (readonly [string, Defaults])[];
}

function defaultsIn(blank: object, isMeant: (path: string) => boolean): Defaults {
  const all = Object.entries(blank) as [string, unknown][];
  return {
    values: all.filter(([key, value]) => !isPlainObject(value) && isMeant(key)),
    objects: all.flatMap(([key, value]) => {
      if (!isPlainObject(value)) return [];
      const inside = defaultsIn(value, (path) => isMeant(`${key}.${path}`));
      return inside.values.length + inside.objects.length > 0 ? [[key, inside] as const] : [];
    }),
  };
}

function fill(object: Record<string, unknown>, { values, objects }: Defaults): void {
  for (const [key, value] of values) if (object[key] === undefined) object[key] = value;
  for (const [key, inside] of objects) {
    if (object[key] === undefined) object[key] = {};
    if (isPlainObject(object[key])) fill(object[key] as Record<string, unknown>, inside);
  }
}
