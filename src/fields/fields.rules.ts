import { isDeepStrictEqual } from 'node:util';
import { type Expected, fieldFault, type FieldFault } from '../errors/field-fault.js';
import { emptyText, type FieldReader, type Given, mostParts } from './field-reader.rules.js';
import { Unread } from './unread.rules.js';
import { isBlank } from '../text/visible-text.js';
import { type ReferenceBook, type ReferenceKind } from './reference-book.js';

/**
 * What callers may write to a field. `maximum` limits the code points of a text, the members of a list or the value of a decimal (Contract
 * 7.4, 8.5).
 */
export type Written = {
  /** The GraphQL input name; default: the name of its row. */
  as?: string;
  /** {@link describe} replaces `{maximum}` by the number. */
  description: string;
  /** For a `text`: null clears it. */
  isClearable?: true;
  /** Returns the values to store, and reports faults to `context.reader`. Default: stores the value at `path`. */
  store?(this: void, value: string | null, field: string, context: ReadContext): Patch;
} & (
  | { type: 'text'; maximum: number }
  | { type: 'freeText'; maximum: number }
  | { type: 'url'; maximum: number }
  | { type: 'html'; maximum: number; wrapPlainText: boolean }
  | { type: 'emails'; maximum: number }
  | { type: 'choice'; of: readonly string[] }
  /** An instant with a UTC offset, or a date. The caller of {@link readFields} turns the {@link Instants} into what is stored. */
  | { type: 'instant' }
  | { type: 'reference'; kind: ReferenceKind }
  /** Several ids: a list in GraphQL; over REST and in import files, one text in which `;` separates them. */
  | { type: 'references'; kind: ReferenceKind; maximum: number; list: { name: string; description: string } }
  | { type: 'decimal'; maximum: number; whole: Whole }
  | { type: 'code'; of: readonly string[]; expected: Expected; whole: Whole }
);

/**
 * An optional object of scalars. If a request sends any part, omitted parts become null. If all parts are null, so is the object. GraphQL
 * nests the parts, and requires those that are codes, because no object can be without; REST and import files keep them flat.
 */
interface Whole {
  /** Path in the record, and GraphQL name. */
  path: string;
  description: string;
  /** Checks the parts against each other. Called only if every part is valid and at least one is not null. */
  check(this: void, parts: Readonly<Record<string, string | null>>, reader: FieldReader): void;
}

export interface ReadContext {
  /** A record that does not exist yet can lack any field. */
  record: object;
  book: ReferenceBook;
  reader: FieldReader;
}

export type Field = Written & {
  /** In the record, such as `description.jobDesc`. */
  path: string;
  /** The GraphQL type that shows it. */
  shownAs?: string | undefined;
};

/**
 * The writable fields of a resource, by GraphQL input name. An entry determines the field's GraphQL input, its OpenAPI and import
 * schemas, how it is read and exported, whether null clears it, and whether the history hides its values.
 */
export type FieldTable = Readonly<Record<string, Field>>;

/** What a request has for the fields of a table. */
export type GivenFields = Readonly<Record<string, unknown>>;

/**
 * Each key is a type that a `-must-be-…` error code names. Its function returns undefined for a value of another type. A single text
 * counts as a list of one (Contract 4.2.11).
 */
export const readGiven = {
  string: (value: unknown) => (typeof value === 'string' ? value : undefined),
  'array-of-strings': (value: unknown): readonly string[] | undefined => {
    const list: unknown[] = [value].flat();
    return list.every((element) => typeof element === 'string') ? list : undefined;
  },
  decimal: (value: unknown) => (typeof value === 'number' ? String(value) : readGiven.string(value)),
};
type GivenType = keyof typeof readGiven;
export type GivenValue<As extends GivenType = GivenType> = NonNullable<ReturnType<(typeof readGiven)[As]>>;

/**
 * What each type of field is in a request and in the database, and whether an empty text clears it; of any other field, an empty text is
 * a fault (Contract 4.3.3.3).
 */
export const fieldTypes = {
  text: { given: 'string', stored: 'text', isFree: false },
  freeText: { given: 'string', stored: 'text', isFree: true },
  url: { given: 'string', stored: 'text', isFree: false },
  html: { given: 'string', stored: 'text', isFree: true },
  emails: { given: 'array-of-strings', stored: 'texts', isFree: false },
  choice: { given: 'string', stored: 'text', isFree: false },
  instant: { given: 'string', stored: 'date', isFree: false },
  reference: { given: 'string', stored: 'id', isFree: false },
  references: { given: 'string', stored: 'ids', isFree: false },
  decimal: { given: 'decimal', stored: 'text', isFree: true },
  code: { given: 'string', stored: 'text', isFree: true },
} as const satisfies Record<Field['type'], { given: GivenType; stored: string; isFree: boolean }>;

/** Whether null clears the field; if not, null is a fault (Contract 4.3.3.2). */
export const isClearable = (field: Field): boolean =>
  field.type === 'text' ? field.isClearable === true : field.type !== 'choice';

/** Where the GraphQL input has a field: at its top, or inside an object. */
export const inputPath = (name: string, field: Field): readonly string[] =>
  'whole' in field ? field.path.split('.') : 'list' in field ? [field.list.name] : [name];

/** What a request has for a field. */
const givenFor = (fields: GivenFields, name: string, field: Field): Given<GivenValue> => {
  const given = fields[name] === undefined && 'list' in field ? fields[field.list.name] : fields[name];
  return given instanceof Unread ? undefined : (given as Given<GivenValue>);
};

/** Texts in lists and objects are trimmed later, when their field is read (Contract 4.3.3.4, 7.4). */
export function trimTexts<Input extends object>(input: Input): Input {
  const trimmed: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(input))
    trimmed[name] = typeof value === 'string' ? value.trim() : value;
  return trimmed as Input;
}

export const describe = (field: Field): string =>
  'maximum' in field ? field.description.replace('{maximum}', String(field.maximum)) : field.description;

/** The parts of the object `whole`, with their names in the table. */
export const partsOf = (table: FieldTable, whole: string) =>
  Object.entries(table).flatMap(([name, field]) => {
    const [path, part] = inputPath(name, field);
    return part !== undefined && path === whole ? [{ name, field, part }] : [];
  });

export const pathsOf = (table: FieldTable, ...types: Field['type'][]): string[] =>
  Object.values(table).flatMap(({ type, path }) => (types.includes(type) ? [path] : []));

export const pathsGiven = (table: FieldTable, fields: GivenFields): string[] =>
  Object.entries(table).flatMap(([name, field]) =>
    givenFor(fields, name, field) === undefined ? [] : [field.path],
  );

/** More than `mostParts` ids are only cut off: the check of the field's maximum rejects them. */
function idsIn(given: GivenValue): string[] {
  const isText = typeof given === 'string';
  const parts = isText ? given.split(';', mostParts + 1) : given.slice(0, mostParts + 1);
  if (parts.length > mostParts) return parts;
  const ids = [...new Set(parts.map((id) => id.trim()))];
  return isText ? ids.filter(Boolean) : ids;
}

/** Trim the fields first. Load the references into the book before reading the fields. */
export function referencesIn(table: FieldTable, fields: GivenFields): { kind: ReferenceKind; id: string }[] {
  return Object.entries(table).flatMap(([name, field]) => {
    const given = givenFor(fields, name, field);
    if (!given || (field.type !== 'reference' && field.type !== 'references')) return [];
    const ids = field.type === 'reference' ? [given as string] : idsIn(given);
    return ids.map((id) => ({ kind: field.kind, id }));
  });
}

/** Expects trimmed fields. Absent and invalid fields store nothing. */
export function readFields(table: FieldTable, fields: GivenFields, context: ReadContext): Patch {
  const patch: Patch = {};
  const wholes = new Set<Whole>();
  for (const [name, field] of Object.entries(table)) {
    if ('whole' in field) {
      if (!wholes.has(field.whole)) Object.assign(patch, readWhole(table, field.whole, fields, context));
      wholes.add(field.whole);
      continue;
    }
    const given = givenFor(fields, name, field);
    if (given === undefined) continue;
    const value = readValue(name, field, given, context);
    if (value === undefined) continue;
    if (field.store) Object.assign(patch, field.store(value as string | null, name, context));
    else patch[field.path] = value;
  }
  return patch;
}

/** Returns nothing if no part was sent or any part is invalid. */
function readWhole(table: FieldTable, { path, check }: Whole, fields: GivenFields, context: ReadContext) {
  const { reader } = context;
  const parts = partsOf(table, path);
  const flat = fields as Record<string, Given<string>>;
  const nested = (fields as Record<string, Given<Record<string, Given<string>>>>)[path];
  if (nested === undefined && parts.every(({ name, field }) => givenFor(fields, name, field) === undefined))
    return {};
  const read: Record<string, string | null> = {};
  for (const { name, field, part } of parts) {
    const given = nested === undefined ? flat[name] : nested?.[part];
    read[part] = (readValue(name, field, given?.trim() ?? null, context) ?? null) as string | null;
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

function readValue(name: string, field: Field, given: GivenValue | null, context: ReadContext): unknown {
  const { record, book, reader } = context;
  const isEmpty = given === null || (fieldTypes[field.type].isFree && isBlank(given as string));
  if (isEmpty && isClearable(field))
    return field.type === 'emails' || field.type === 'references' ? [] : null;
  if (given === null) return reader.fail(fieldFault.notClearable(name, fieldTypes[field.type].given));
  // A form sends back what it has read, which an earlier version may have accepted, with line breaks of its own.
  const stored = valueAt(record, field.path);
  if (isDeepStrictEqual(withLf(given), withLf(stored))) return stored;
  if (field.type === 'emails') return reader.emails(name, given as readonly string[], field.maximum);
  if (field.type === 'references') return readReferences(name, field, given, context);
  const text = given as string;
  switch (field.type) {
    case 'text':
    case 'freeText':
      return reader.text(name, text, field.maximum);
    case 'html':
      return reader.html(name, text, field.maximum, field);
    case 'url':
      return reader.url(name, text, field.maximum);
    case 'choice':
      return field.of.includes(text) ? text : reader.fail(fieldFault.oneOf(name, field.of));
    case 'instant':
      return reader.instant(name, text);
    case 'decimal':
      return reader.decimal(name, text, field.maximum);
    case 'code':
      return field.of.includes(text) ? text : reader.fail(fieldFault.format(name, field.expected));
    case 'reference': {
      const id = reader.present(name, text);
      return id && (book.find(field.kind, id)?._id ?? reader.fail(fieldFault.notFound(name)));
    }
  }
}

function readReferences(
  name: string,
  { kind, maximum, list, path }: Extract<Field, { type: 'references' }>,
  given: GivenValue,
  { record, book, reader }: ReadContext,
) {
  const fail = (fault: FieldFault) => reader.fail({ ...fault, path: [list.name] });
  const ids = idsIn(given);
  const isUnknown = (id: string) => !book.find(kind, id);
  if (given === '') return fail(emptyText(name));
  const isStored = () =>
    isDeepStrictEqual(
      ids.map((id) => String(book.find(kind, id)?._id)),
      [valueAt(record, path)].flat().map(String),
    );
  if (ids.length > maximum && !isStored())
    return fail(fieldFault.tooMany(name, maximum, { en: 'records', fr: 'enregistrements' }));
  const unknown = ids.filter(isUnknown);
  if (typeof given === 'string') {
    if (unknown.length > 0 || ids.length === 0) return fail(fieldFault.notFound(name, unknown));
  } else if (unknown.length > 0) {
    for (const [at, element] of given.entries()) {
      const id = element.trim();
      if (isUnknown(id))
        fail({ ...(id === '' ? emptyText(name) : fieldFault.notFound(name, [id])), elements: [at] });
    }
    return undefined;
  }
  return [...new Set(ids.map((id) => book.find(kind, id)!._id))];
}

export interface FieldChange {
  /** The GraphQL name, or the dotted path of a field inside another field. */
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

/** Leaves out fields whose value stays the same (Contract 10.1). */
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
