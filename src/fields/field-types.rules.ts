import { type Types } from 'mongoose';
import { isDeepStrictEqual } from 'node:util';
import {
  type Expected,
  fieldFault,
  type FieldFault,
  type Parameters,
  type typeNames,
} from '../errors/field-fault.js';
import {
  decimalPattern,
  emailPattern,
  emptyText,
  type FieldReader,
  mostParts,
  rawHtmlFactor,
} from './field-reader.rules.js';
import { type ReferenceSnapshot, type ReferenceKind } from './reference-snapshot.js';

/** The scalars of the GraphQL schema, except that of uploaded files. */
export type ScalarName = 'String' | 'ID' | 'Int' | 'Boolean' | 'Decimal' | 'DateTimeISO';

/** The values that a request can have for a field, besides null. */
export type InputValue = string | readonly string[];

export interface ReadContext {
  /** A record that does not exist yet can lack any field. */
  record: object;
  snapshot: ReferenceSnapshot;
  reader: FieldReader;
}

/** Draft 2020-12. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** How requests and import files write a value. */
interface Format {
  /** As in `-must-be-string`. */
  inputType: Exclude<keyof typeof typeNames, 'file'>;
  /** Returns undefined for a value of another type. */
  parse(this: void, value: unknown): InputValue | undefined;
  /** The GraphQL input, in SDL. `enum`: the type that shows the field. */
  graphql: ScalarName | `[${ScalarName}!]` | 'enum';
  /** The schema of a value in JSON and, unless they differ, in a form and an import file. Null is added where it clears the field. */
  json: JsonSchema;
  form?: JsonSchema;
  file?: JsonSchema;
  /** A form repeats the key for each element. */
  isRepeated?: true;
}

/** The rules that all fields of one type share. */
export interface FieldType extends Format {
  name: keyof typeof fieldTypes;
  /** The Mongoose type of a value; in a list, of each element. */
  stored: 'String' | 'Date' | 'ObjectId';
  /** The value that null stores: [] for a list. Absent: null is a fault. */
  cleared?: unknown;
  /** An empty text clears the field, too. For other types, it is a fault. */
  isFree?: true;
  /** Limits that a form can check before it sends a value. `maximumLength` is in code points, and for HTML after cleaning. */
  limits: Parameters;
  /** The only values, which GraphQL checks. */
  choices?: readonly string[];
  /** In an object, GraphQL requires the field. */
  isNeeded?: true;
  refersTo?: { kind: ReferenceKind; idsIn(this: void, value: InputValue): string[] };
  /** Where GraphQL has a list of ids. REST and import files have one text, in which `;` separates them. */
  list?: { name: string; description: string };
  /** Left out by updates that neither change nor return it. */
  isLong?: true;
  /** The history hides the values. */
  isPersonal?: true;
  /** Returns the value to store. If it is at fault, reports that to `context.reader`, and returns undefined. */
  read(this: void, value: InputValue, field: string, context: ReadContext, stored: unknown): unknown;
  /** The value that an export writes instead of the stored one. An import must read it. */
  write?(this: void, stored: unknown, snapshot: ReferenceSnapshot): unknown;
}

const string = { type: 'string' };

export const text: Format = {
  inputType: 'string',
  parse: (value) => (typeof value === 'string' ? value : undefined),
  graphql: 'String',
  json: string,
};

const oneText = { ...string, description: 'Several, separated by `;`.' };

/** A single text counts as a list of one. */
function texts(maxItems: number): Format {
  const textList = { type: 'array', items: string, maxItems };
  return {
    inputType: 'array-of-strings',
    parse(value) {
      const list: unknown[] = [value].flat();
      return list.every((element) => typeof element === 'string') ? list : undefined;
    },
    graphql: '[String!]',
    json: { anyOf: [textList, oneText] },
    form: { anyOf: [{ ...textList, description: 'Repeat the key for each.' }, oneText] },
    file: { ...textList, type: ['array', 'string'] },
    isRepeated: true,
  };
}

export const decimal: Format = {
  inputType: 'decimal',
  parse: (value) => (typeof value === 'number' ? String(value) : text.parse(value)),
  graphql: 'Decimal',
  json: { anyOf: [{ type: 'number' }, string] },
  form: string,
  file: { type: ['number', 'string'] },
};

/** More than `mostParts` ids are only cut off: the check of the field's maximum rejects them. */
function idsIn(value: string | readonly string[]): string[] {
  const isText = typeof value === 'string';
  const parts = isText ? value.split(';', mostParts + 1) : value.slice(0, mostParts + 1);
  if (parts.length > mostParts) return parts;
  const ids = [...new Set(parts.map((id) => id.trim()))];
  return isText ? ids.filter(Boolean) : ids;
}

const refersTo = (kind: ReferenceKind, ids: NonNullable<FieldType['refersTo']>['idsIn']) => ({
  ...text,
  refersTo: { kind, idsIn: ids },
  /** The public ids. */
  write: (stored: unknown, snapshot: ReferenceSnapshot) =>
    [(stored as Types.ObjectId | Types.ObjectId[] | null) ?? []]
      .flat()
      .flatMap((id) => snapshot.find(kind, id)?.publicId ?? [])
      .join(';') || null,
});

const countedText = (maximumLength: number, maxLength = maximumLength) =>
  ({ ...text, stored: 'String', limits: { maximumLength }, json: { ...string, maxLength } }) as const;

export const fieldTypes = {
  /** Null is a fault unless the row adds what it stores. */
  text: (maximum: number): FieldType => ({
    name: 'text',
    ...countedText(maximum),
    read: (value: string, field, { reader }) => reader.text(field, value, maximum),
  }),

  freeText: (maximum: number): FieldType => ({
    name: 'freeText',
    ...countedText(maximum),
    cleared: null,
    isFree: true,
    read: (value: string, field, { reader }) => reader.text(field, value, maximum),
  }),

  url: (maximum: number): FieldType => ({
    name: 'url',
    ...countedText(maximum),
    limits: { maximumLength: maximum, format: 'url' },
    cleared: null,
    read: (value: string, field, { reader }) => reader.url(field, value, maximum),
  }),

  html: (maximum: number, options: { wrapPlainText: boolean }): FieldType => ({
    name: 'html',
    ...countedText(maximum, rawHtmlFactor * maximum),
    limits: { maximumLength: maximum, maximumRawLength: rawHtmlFactor * maximum, format: 'html' },
    cleared: null,
    isFree: true,
    isLong: true,
    read: (value: string, field, { reader }) => reader.html(field, value, maximum, options),
  }),

  emails: (maximum: number): FieldType => ({
    name: 'emails',
    ...texts(maximum),
    stored: 'String',
    limits: { maximumItems: maximum, format: 'email', pattern: emailPattern.source },
    cleared: [],
    isPersonal: true,
    read: (value: readonly string[], field, { reader }) => reader.emails(field, value, maximum),
  }),

  choice: (choices: readonly string[]): FieldType => ({
    name: 'choice',
    ...text,
    json: { ...string, enum: choices },
    file: { enum: choices },
    graphql: 'enum',
    stored: 'String',
    limits: {},
    choices,
    read: (value: string, field, { reader }) =>
      choices.includes(value) ? value : reader.fail(fieldFault.oneOf(field, choices)),
  }),

  /** An instant with a UTC offset, or a date. The caller of `readFields` turns the `Instants` into what is stored. */
  instant: (): FieldType => ({
    name: 'instant',
    ...text,
    stored: 'Date',
    limits: { format: 'date' },
    cleared: null,
    read: (value: string, field, { reader }) => reader.instant(field, value),
  }),

  /** From 0 to `maximum`, with at most two decimals. */
  decimal: (maximum: number): FieldType => ({
    name: 'decimal',
    ...decimal,
    stored: 'String',
    limits: { minimum: 0, maximum, format: 'decimal', pattern: decimalPattern.source },
    cleared: null,
    isFree: true,
    read: (value: string, field, { reader }) => reader.decimal(field, value, maximum),
  }),

  code: (codes: readonly string[], expected: Expected): FieldType => ({
    name: 'code',
    ...text,
    limits: { values: codes },
    stored: 'String',
    cleared: null,
    isFree: true,
    isNeeded: true,
    read: (value: string, field, { reader }) =>
      codes.includes(value) ? value : reader.fail(fieldFault.format(field, expected)),
  }),

  reference: (kind: ReferenceKind): FieldType => ({
    name: 'reference',
    ...refersTo(kind, (value: string) => [value]),
    limits: { references: kind },
    stored: 'ObjectId',
    cleared: null,
    read(value: string, field, { snapshot, reader }) {
      const id = reader.present(field, value);
      return id && (snapshot.find(kind, id)?._id ?? reader.fail(fieldFault.notFound(field)));
    },
  }),

  references: <const Name extends string>(
    kind: ReferenceKind,
    maximum: number,
    list: { name: Name; description: string },
  ): FieldType & { list: { name: Name } } => ({
    name: 'references',
    ...refersTo(kind, idsIn),
    graphql: '[ID!]',
    stored: 'ObjectId',
    limits: { maximumItems: maximum, references: kind },
    cleared: [],
    list,
    read(value: string | readonly string[], field, { snapshot, reader }, stored) {
      const fail = (fault: FieldFault) => reader.fail({ ...fault, path: [list.name] });
      const ids = idsIn(value);
      const isUnknown = (id: string) => !snapshot.find(kind, id);
      if (value === '') return fail(emptyText(field));
      const isStored = () =>
        isDeepStrictEqual(
          ids.map((id) => String(snapshot.find(kind, id)?._id)),
          [stored].flat().map(String),
        );
      if (ids.length > maximum && !isStored())
        return fail(fieldFault.tooMany(field, maximum, { en: 'records', fr: 'enregistrements' }));
      const unknown = ids.filter(isUnknown);
      if (typeof value === 'string') {
        if (unknown.length > 0 || ids.length === 0) return fail(fieldFault.notFound(field, unknown));
      } else if (unknown.length > 0) {
        for (const [at, element] of value.entries()) {
          const id = element.trim();
          if (isUnknown(id))
            fail({ ...(id === '' ? emptyText(field) : fieldFault.notFound(field, [id])), elements: [at] });
        }
        return undefined;
      }
      return [...new Set(ids.map((id) => snapshot.find(kind, id)!._id))];
    },
  }),
};
