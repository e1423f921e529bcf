import { Schema, type SchemaType } from 'mongoose';
import { type Logger } from 'pino';

/**
 * Reports a record that another program has damaged, and that is skipped.
 * @param kind of the record, such as `job`
 */
export type ReportDamaged = (kind: string, publicId: string, why: Error) => void;

/** Logs each damaged record once per process and reader: a task, or the lists. */
export function damagedRecordsLog(log: Logger) {
  const logged = new Set<string>();
  return (reader: string, ...[kind, publicId, err]: Parameters<ReportDamaged>): void => {
    const key = JSON.stringify([reader, kind, publicId]);
    if (logged.has(key)) return;
    logged.add(key);
    log.error({ task: reader, kind, publicId, err }, 'a damaged record is skipped');
  };
}

type IsValid = (value: unknown) => boolean;

const isValidOf: Record<string, IsValid> = {
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
 * @returns a function that returns true for a valid record, and otherwise reports it
 */
export function recordValidator(kind: string, schema: Schema, paths?: Iterable<string>) {
  const invalidPathIn = invalidPathFinder(schema, paths);
  return (record: object, publicId: string, report: ReportDamaged): boolean => {
    const path = invalidPathIn(record);
    if (path !== undefined) report(kind, publicId, new Error(`${path} is damaged`));
    return path === undefined;
  };
}

/** Returns the first part of a damaged path. */
function invalidPathFinder(
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
  const invalidPathIn = invalidPathFinder(schema, below.length > 0 ? below : undefined);
  return (value) => isPlainObject(value) && invalidPathIn(value) === undefined;
}

function valueOf({ instance, enumValues = [] }: SchemaType & { enumValues?: unknown[] }): IsValid {
  const isValid = isValidOf[instance];
  if (!isValid) throw new Error(`no check for values of the type ${instance}`);
  return enumValues.length === 0 ? isValid : (value) => enumValues.includes(value);
}

/** False for arrays, dates, ids and scalars. */
export const isPlainObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
