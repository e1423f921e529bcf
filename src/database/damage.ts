import { Schema, type SchemaType } from 'mongoose';
import { type ReportDamaged } from '../log/damaged-records.js';

type IsSound = (value: unknown) => boolean;

const isSoundOf: Record<string, IsSound> = {
  String: (value) => typeof value === 'string',
  Boolean: (value) => typeof value === 'boolean',
  // GraphQL integers have 32 bits.
  Number: (value) => typeof value === 'number' && (value | 0) === value,
  Date: (value) => value instanceof Date && !Number.isNaN(value.getTime()),
  ObjectId: (value) => (value as { _bsontype?: unknown })._bsontype === 'ObjectId',
  Mixed: () => true,
};

/**
 * Finds values that the schema does not allow, which only another program can have written.
 * @param paths the paths to check, such as the paths of a projection; default all. Paths that the schema lacks are not checked
 * @returns a function that returns true for a sound record, and otherwise reports it
 */
export function soundness(kind: string, schema: Schema, paths?: Iterable<string>) {
  const damagedIn = damageFinder(schema, paths);
  return (record: object, publicId: string, report: ReportDamaged): boolean => {
    const path = damagedIn(record);
    if (path !== undefined) report(kind, publicId, new Error(`${path} is damaged`));
    return path === undefined;
  };
}

/** Returns the first part of a damaged path. */
function damageFinder(
  schema: Schema,
  paths: Iterable<string> = Object.keys(schema.paths),
): (record: object) => string | undefined {
  const all = new Set(paths);
  const heads = new Set([...all].map((path) => path.split('.')[0] ?? ''));
  const checks = [...heads].map((head) => {
    const inside = [...all].filter((path) => path.startsWith(`${head}.`));
    const below = all.has(head) ? [] : inside.map((path) => path.slice(head.length + 1));
    return [head, checkAt(schema, head, below)] as const;
  });
  return (record) =>
    checks.find(([head, isSound]) => !isSound((record as Record<string, unknown>)[head]))?.[0];
}

function checkAt(schema: Schema, path: string, below: readonly string[]): IsSound {
  if (schema.pathType(path) === 'nested')
    return documentOf(new Schema(schema.obj[path] as never, { _id: false }), below);
  const type = schema.path(path) as (SchemaType & { embeddedSchemaType?: SchemaType }) | undefined;
  if (!type) return () => true;
  const isSound = type.schema ? documentOf(type.schema, below) : valueOf(type.embeddedSchemaType ?? type);
  if (type.instance === 'Array') return (value) => Array.isArray(value) && value.every(isSound);
  const isNeeded = type.isRequired === true || path === '_id';
  return (value) => (value == null ? !isNeeded : isSound(value));
}

function documentOf(schema: Schema, below: readonly string[]): IsSound {
  const damagedIn = damageFinder(schema, below.length > 0 ? below : undefined);
  return (value) => isDocument(value) && damagedIn(value) === undefined;
}

function valueOf({ instance, enumValues = [] }: SchemaType & { enumValues?: unknown[] }): IsSound {
  const isSound = isSoundOf[instance];
  if (!isSound) throw new Error(`no check for values of the type ${instance}`);
  return enumValues.length === 0 ? isSound : (value) => enumValues.includes(value);
}

/** False for arrays, dates, ids and scalars. */
export const isDocument = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
