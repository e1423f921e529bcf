import { Schema, type SchemaType } from 'mongoose';
import { type Hinting } from './indexes.js';

/** A connection emits this as `unreadable`. */
export interface UnreadableRecord {
  collection: string;
  /** The public id, or the `_id` of a record without one. */
  id: unknown;
  path: string;
}

type Identified = { publicId?: unknown; _id?: unknown };

/**
 * The only place that decides whether a record can be read: another program, or somebody by hand, may have written values that the schema
 * does not allow. Lists, feeds and tasks skip such a record.
 */
export class ReadableRecords {
  private readonly unreadablePathIn: PathFinder;

  /** @param paths the paths to check, such as the paths of a projection; default all. Paths that the schema lacks are not checked */
  constructor(schema: Schema, paths?: Iterable<string>) {
    this.unreadablePathIn = pathFinder(schema, paths);
  }

  /** If the record cannot be read, the collection's connection emits `unreadable`. */
  has({ collectionName: collection, conn }: Hinting, record: object): boolean {
    const path = this.unreadablePathIn(record);
    const { publicId, _id } = record as Identified;
    if (path !== undefined) conn?.emit('unreadable', { collection, id: publicId ?? _id, path });
    return path === undefined;
  }

  /** @throws Error with the record's id */
  assert(record: object): void {
    const path = this.unreadablePathIn(record);
    const { publicId, _id } = record as Identified;
    if (path !== undefined) throw new Error(`the ${path} of ${String(publicId ?? _id)} cannot be read`);
  }
}

type IsValid = (value: unknown) => boolean;
type PathFinder = (record: object) => string | undefined;

const isValidOf: Record<string, IsValid> = {
  String: (value) => typeof value === 'string',
  Boolean: (value) => typeof value === 'boolean',
  // GraphQL integers have 32 bits.
  Number: (value) => typeof value === 'number' && (value | 0) === value,
  Date: (value) => value instanceof Date && !Number.isNaN(value.getTime()),
  ObjectId: (value) => (value as { _bsontype?: unknown })._bsontype === 'ObjectId',
  Mixed: () => true,
};

/** Finds the first part of a path with a value that the schema does not allow. */
function pathFinder(schema: Schema, paths: Iterable<string> = Object.keys(schema.paths)): PathFinder {
  const all = new Set(paths);
  const heads = new Set([...all].map((path) => path.split('.')[0] ?? ''));
  const checks = [...heads].map((head) => {
    const inside = [...all].filter((path) => path.startsWith(`${head}.`));
    const below = all.has(head) ? [] : inside.map((path) => path.slice(head.length + 1));
    return [head, checkAt(schema, head, below)] as const;
  });
  return (record) =>
    checks.find(([head, isValid]) => !isValid((record as Record<string, unknown>)[head]))?.[0];
}

function checkAt(schema: Schema, path: string, below: readonly string[]): IsValid {
  if (schema.pathType(path) === 'nested')
    return documentOf(new Schema(schema.obj[path] as never, { _id: false }), below);
  const type = schema.path(path) as (SchemaType & { embeddedSchemaType?: SchemaType }) | undefined;
  if (!type) return () => true;
  const isValid = type.schema ? documentOf(type.schema, below) : valueOf(type.embeddedSchemaType ?? type);
  if (type.instance === 'Array') return (value) => Array.isArray(value) && value.every(isValid);
  const isNeeded = type.isRequired === true || path === '_id';
  return (value) => (value == null ? !isNeeded : isValid(value));
}

function documentOf(schema: Schema, below: readonly string[]): IsValid {
  const unreadablePathIn = pathFinder(schema, below.length > 0 ? below : undefined);
  return (value) => isPlainObject(value) && unreadablePathIn(value) === undefined;
}

function valueOf({ instance, enumValues = [] }: SchemaType & { enumValues?: unknown[] }): IsValid {
  const isValid = isValidOf[instance];
  if (!isValid) throw new Error(`no check for values of the type ${instance}`);
  return enumValues.length === 0 ? isValid : (value) => enumValues.includes(value);
}

/** False for arrays, dates, ids and scalars. */
export const isPlainObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
