import { isDeepStrictEqual } from 'node:util';
import { fieldFault } from '../errors/field-fault.js';
import { type FieldReader, type Nullable } from './field-reader.rules.js';
import { type InputValue, type FieldType, type ReadContext } from './field-types.rules.js';
import { type ReferenceKind } from './reference-snapshot.js';
import { isBlank } from '../text/invisible.rules.js';

/** The values that callers can write to a field. */
export interface FieldInput {
  /** The GraphQL input name; default: the name of its row. */
  as?: string;
  type: FieldType;
  /** {@link describe} replaces the name of a limit, such as `{maximumLength}`, by the number. */
  description: string;
  /** The object that the field is part of. */
  object?: InputObject;
  /** Returns the values to store, and reports faults to `context.reader`. Default: stores the value at `path`. */
  store?(this: void, value: string | null, field: string, context: ReadContext): Patch;
}

/**
 * An optional object of scalars. If a request sends any part, omitted parts become null. If all parts are null, so is the object. GraphQL
 * nests the parts; REST and import files keep them flat.
 */
interface InputObject {
  /** Path in the record, and GraphQL name. */
  path: string;
  description: string;
  /** Checks the parts against each other. Called only if every part is valid and at least one is not null. */
  check(this: void, parts: Readonly<Record<string, string | null>>, reader: FieldReader): void;
}

export interface WritableField extends FieldInput {
  /** In the record, such as `description.jobDesc`. */
  path: string;
}

/**
 * The writable fields of a resource, by GraphQL input name. An entry determines the field's GraphQL input, its OpenAPI and import
 * schemas, how it is read and exported, whether null clears it, and whether the history hides its values.
 */
export type FieldTable = Readonly<Record<string, WritableField>>;

/** The values of a request for the fields of a table. */
export type InputFields = Readonly<Record<string, unknown>>;

/** Whether null clears the field; if not, null is a fault. */
export const isClearable = ({ type }: WritableField): boolean => type.cleared !== undefined;

/** Where the GraphQL input has a field: at its top, or inside an object. */
export const inputPath = (name: string, field: WritableField): readonly string[] =>
  field.object ? field.path.split('.') : [field.type.list?.name ?? name];

/** The names of the inputs, by the path in the record. */
export const inputNames = (table: FieldTable): ReadonlyMap<string, string> =>
  new Map(Object.entries(table).map(([name, field]) => [field.path, inputPath(name, field).join('.')]));

/** The value of a request for a field. */
const inputFor = (fields: InputFields, name: string, field: WritableField): Nullable<InputValue> => {
  const { list } = field.type;
  return (fields[name] === undefined && list ? fields[list.name] : fields[name]) as Nullable<InputValue>;
};

/** Texts in lists and objects are trimmed later, when their field is read. */
export function trimTexts<Input extends object>(input: Input): Input {
  const trimmed: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(input))
    trimmed[name] = typeof value === 'string' ? value.trim() : value;
  return trimmed as Input;
}

export const describe = ({ description, type: { limits } }: WritableField): string =>
  description.replace(/\{(\w+)\}/g, (_, name: string) => String(limits[name]));

/** The parts of the object `whole`, with their names in the table. */
export const partsOf = (table: FieldTable, object: string) =>
  Object.entries(table).flatMap(([name, field]) => {
    const [path, part] = inputPath(name, field);
    return part !== undefined && path === object ? [{ name, field, part }] : [];
  });

/** Only fields whose type has this. */
export const pathsOf = (table: FieldTable, has: 'isLong' | 'isPersonal' | 'refersTo'): string[] =>
  Object.values(table).flatMap(({ type, path }) => (type[has] ? [path] : []));

export const writtenPaths = (table: FieldTable, fields: InputFields): string[] =>
  Object.entries(table).flatMap(([name, field]) =>
    inputFor(fields, name, field) === undefined ? [] : [field.path],
  );

/** Trim the fields first. Load the references into the snapshot before reading the fields. */
export function referencesIn(table: FieldTable, fields: InputFields): { kind: ReferenceKind; id: string }[] {
  return Object.entries(table).flatMap(([name, field]) => {
    const value = inputFor(fields, name, field);
    const { refersTo } = field.type;
    return value && refersTo ? refersTo.idsIn(value).map((id) => ({ kind: refersTo.kind, id })) : [];
  });
}

/** Expects trimmed fields. Absent and invalid fields store nothing. */
export function readFields(table: FieldTable, fields: InputFields, context: ReadContext): Patch {
  const patch: Patch = {};
  const objects = new Set<InputObject>();
  for (const [name, field] of Object.entries(table)) {
    if (field.object) {
      if (!objects.has(field.object)) Object.assign(patch, readObject(table, field.object, fields, context));
      objects.add(field.object);
      continue;
    }
    const input = inputFor(fields, name, field);
    if (input === undefined) continue;
    const value = readValue(name, field, input, context);
    if (value === undefined) continue;
    if (field.store) Object.assign(patch, field.store(value as string | null, name, context));
    else patch[field.path] = value;
  }
  return patch;
}

/** Returns nothing if no part was sent or any part is invalid. */
function readObject(
  table: FieldTable,
  { path, check }: InputObject,
  fields: InputFields,
  context: ReadContext,
) {
  const { reader } = context;
  const parts = partsOf(table, path);
  const flat = fields as Record<string, Nullable<string>>;
  const nested = (fields as Record<string, Nullable<Record<string, Nullable<string>>>>)[path];
  if (nested === undefined && parts.every(({ name, field }) => inputFor(fields, name, field) === undefined))
    return {};
  const read: Record<string, string | null> = {};
  for (const { name, field, part } of parts) {
    const text = nested === undefined ? flat[name] : nested?.[part];
    read[part] = (readValue(name, field, text?.trim() ?? null, context) ?? null) as string | null;
  }
  const paths = new Map(parts.map(({ name, field }) => [name, inputPath(name, field)]));
  const isAtFault = () => reader.faults.some(({ field }) => paths.has(field));
  const isEmpty = Object.values(read).every((value) => value === null);
  if (!isEmpty && !isAtFault()) check(read, reader);
  reader.placeFaults(paths);
  return isAtFault() ? {} : { [path]: isEmpty ? null : read };
}

const withLf = (value: unknown): unknown =>
  typeof value === 'string' ? value.replace(/\r\n?/g, '\n') : value;

function readValue(
  name: string,
  field: WritableField,
  value: InputValue | null,
  context: ReadContext,
): unknown {
  const { path, type } = field;
  const isEmpty = value === null || (type.isFree && isBlank(value as string));
  if (isEmpty && isClearable(field)) return type.cleared;
  if (value === null) return context.reader.fail(fieldFault.notClearable(name, type.inputType));
  // A form sends back what it has read, which an earlier version may have accepted, with line breaks of its own.
  const stored = valueAt(context.record, path);
  if (isDeepStrictEqual(withLf(value), withLf(stored))) return stored;
  return type.read(value, name, context, stored);
}

export interface FieldChange {
  /** The path in the record, such as `description.jobDesc`. Shown as the name of its input. */
  field: string;
  before: unknown;
  after: unknown;
}

/** New values by path in the record. A path has at most one dot. */
export type Patch = Record<string, unknown>;

export function patched<R extends object>(record: R, patch: Patch): R {
  const after = { ...record } as Record<string, unknown>;
  for (const [path, value] of Object.entries(patch)) {
    const [key = '', part] = path.split('.');
    after[key] = part ? { ...(after[key] as object), [part]: value } : value;
  }
  return after as R;
}

/** Leaves out fields whose value stays the same. */
export function changesOf(record: object, patch: Patch): FieldChange[] {
  return Object.entries(patch)
    .map(([field, after]) => ({ field, before: valueAt(record, field), after }))
    .filter(({ before, after }) => !isSame(before, after));
}

/** Null if absent. */
export function valueAt(record: object, path: string): unknown {
  let value: unknown = record;
  for (const key of path.split('.')) value = (value as Record<string, unknown> | null | undefined)?.[key];
  return value ?? null;
}

function isSame(before: unknown, after: unknown): boolean {
  if (typeof before !== 'object' || typeof after !== 'object') return before === after;
  // Dates and ids are equal if they serialise alike. The order of keys does not matter.
  return isDeepStrictEqual(JSON.parse(JSON.stringify(before)), JSON.parse(JSON.stringify(after)));
}
