import { Types } from 'mongoose';
import { codePointLength, unstorable } from '../content/field-reader.rules.js';
import { isJsonObject } from '../decoding/read-json.js';
import { parseUrl } from '../content/parse-url.rules.js';
import { longestPublicId } from '../content/public-id.rules.js';
import { type LocalisedText } from '../errors/catalogue.js';
import { documentedName } from '../errors/documented-name.js';
import { visibleExcerpt } from '../errors/excerpt.js';

/** A JSON Schema of draft 2020-12. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** A value does not have its shape. The message says what the value must be, and completes `must be …`. */
export class ShapeError extends Error {
  override readonly name = 'ShapeError';

  constructor(
    readonly expected: string,
    /** The end of the fault's code. */
    readonly kind: 'format-error' | 'must-be-string' | 'too-long' = 'format-error',
    /** The part of the value that is wrong, such as `[0].name`; '' for all of it. */
    readonly place = '',
  ) {
    super(place === '' ? expected : `with ${place} being ${expected}`);
  }
}

/** What a value in the file may be: the schema that we publish, how an import reads it, and how an export writes it. */
export interface Shape<T> {
  schema: JsonSchema;
  /** @throws ShapeError */
  read(this: void, value: unknown): T;
  /** The value as JSON is to write it into the file; undefined leaves its key out. */
  write(this: void, value: T): unknown;
}

/** What an import reads of a shape. */
export type ValueOf<S> = S extends Shape<infer T> ? T : never;

const hexId = /^[\da-f]{24}$/i;
/**
 * No space, no control character, no `;`, which separates ids in a list, and no half a surrogate pair, which would be stored as
 * another character. Clients take `.` and `..` out of a path, and could not ask for such a record.
 */
const publicIdPattern = new RegExp(`^(?!\\.\\.?$)[^\\s\\p{Cc}\\p{Cs};]{1,${longestPublicId}}$`, 'u');
const instantPattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/;

const shape = <T>(
  schema: JsonSchema,
  read: (value: unknown) => T,
  write: (value: T) => unknown = (value) => value ?? undefined,
): Shape<T> => ({ schema, read, write });

function textOf(value: unknown): string {
  if (typeof value !== 'string') throw new ShapeError('a string', 'must-be-string');
  return value.trim();
}

/** A text of at least one character and at most `maximum` code points. */
export const text = (maximum: number): Shape<string> =>
  shape({ type: 'string', minLength: 1, maxLength: maximum }, (value) => {
    const given = textOf(value);
    if (given === '') throw new ShapeError('a text that is not empty');
    if (unstorable.test(given))
      throw new ShapeError('a text of whole Unicode characters, without control characters');
    if (codePointLength(given) > maximum)
      throw new ShapeError(`a text of at most ${maximum} characters`, 'too-long');
    return given;
  });

/** A text that may be empty, of at most `maximum` code points. */
export const freeText = (maximum: number): Shape<string> =>
  shape({ type: 'string', maxLength: maximum }, (value) =>
    typeof value === 'string' && value.trim() === '' ? '' : text(maximum).read(value),
  );

/** A file, as large as a line can hold one. Of a very large one, the bytes are given. */
export const base64: Shape<Buffer> = shape({ type: 'string', contentEncoding: 'base64' }, (value) =>
  Buffer.isBuffer(value) ? value : Buffer.from(textOf(value), 'base64'),
);

/** The readable id of a record. */
export const publicId: Shape<string> = shape(
  { type: 'string', pattern: '^(?!\\.\\.?$)[^\\s;]+$', maxLength: longestPublicId },
  (value) => {
    const given = textOf(value);
    if (!publicIdPattern.test(given))
      throw new ShapeError(
        `a public id of 1 to ${longestPublicId} characters, without spaces, control characters and ;, but not . or ..`,
      );
    return given;
  },
);

/** Several public ids in one text, separated by `;`. */
export const publicIds: Shape<string[]> = shape({ type: 'string' }, (value) =>
  textOf(value)
    .split(';')
    .map((id) => publicId.read(id)),
);

/** The URL of a job's page, with placeholders for the public ids. */
export const urlTemplate: Shape<string> = shape({ type: 'string', maxLength: 2_048 }, (value) => {
  const given = text(2_048).read(value);
  const url = parseUrl(given.replaceAll(/\{(?:company|job)\}/g, 'x'));
  if (!url || !/^https?:$/.test(url.protocol) || !given.includes('{job}'))
    throw new ShapeError('an http or https URL with {job}, and with {company} where it is wanted');
  return given;
});

/** The 24-hex id of a record. */
export const recordId: Shape<Types.ObjectId> = shape(
  { type: 'string', pattern: '^[0-9a-fA-F]{24}$' },
  (value) => {
    const given = textOf(value);
    if (!hexId.test(given)) throw new ShapeError('an id of 24 hexadecimal digits');
    return Types.ObjectId.createFromHexString(given);
  },
);

/** An instant in ISO 8601, with its offset from UTC, on a day that the calendar has. Of its fraction, three digits count. */
export const instant: Shape<Date> = shape({ type: 'string', format: 'date-time' }, (value) => {
  // Letters may be small (RFC 3339, 5.6).
  const given = textOf(value).toUpperCase();
  const date = new Date(given);
  const isReal = instantPattern.test(given) && !Number.isNaN(date.getTime()) && isOnCalendar(given);
  // The years before 1 cannot be written in this format.
  if (!isReal || date.getUTCFullYear() < 1)
    throw new ShapeError('an instant such as 2026-03-31T10:20:30.456Z');
  return date;
});

/** `Date` would take 31 February for a day of March, and 24:00 for the next day. */
function isOnCalendar(written: string): boolean {
  const minute = written.slice(0, 'YYYY-MM-DDThh:mm'.length);
  return new Date(`${minute}Z`).toISOString().startsWith(minute);
}

export const flag: Shape<boolean> = shape({ type: 'boolean' }, (value) => {
  if (typeof value !== 'boolean') throw new ShapeError('true or false');
  return value;
});

/** A text, or a whole number up to `maximum`. */
export const textOrCount = (longest: number, maximum: number): Shape<string | number> =>
  shape(
    { anyOf: [text(longest).schema, { type: 'integer', minimum: 0, maximum }] },
    (value): string | number => {
      if (typeof value !== 'number') return text(longest).read(value);
      if (!Number.isInteger(value) || value < 0 || value > maximum)
        throw new ShapeError(`a whole number from 0 to ${maximum}`);
      return value;
    },
  );

export const choice = <const T extends string>(choices: readonly T[]): Shape<T> =>
  shape({ enum: choices }, (value) => {
    const given = textOf(value);
    const found = choices.find((candidate) => candidate === given);
    if (found === undefined) throw new ShapeError(`one of ${choices.join(', ')}`);
    return found;
  });

export const nullable = <T>({ schema, read, write }: Shape<T>): Shape<T | null> =>
  shape(
    { anyOf: [schema, { type: 'null' }] },
    (value) => (value === null ? null : read(value)),
    (value) => (value === null ? null : write(value)),
  );

/** A list of at most `maximum` objects. It refuses two with one value under a key of `distinct`: they would be taken for one. */
export const listOf = <T extends object>(
  item: Shape<T>,
  maximum: number,
  distinct: readonly string[],
): Shape<T[]> => {
  const read = (value: unknown) => {
    if (!Array.isArray(value)) throw new ShapeError('a list');
    if (value.length > maximum) throw new ShapeError(`a list of at most ${maximum}`, 'too-long');
    const list = value.map((element, index) => within(`[${index}]`, () => item.read(element)));
    const written = write(list) as Record<string, string | Types.ObjectId | undefined>[];
    for (const key of distinct) {
      const seen = new Set<string>();
      for (const [index, { [key]: given }] of written.entries()) {
        if (given === undefined) continue;
        if (seen.has(String(given)))
          throw new ShapeError('one that none before it has', 'format-error', `[${index}].${key}`);
        seen.add(String(given));
      }
    }
    return list;
  };
  const write = (list: T[]) => list.map(item.write);
  return shape({ type: 'array', items: item.schema, maxItems: maximum }, read, write);
};

type Keys = Record<string, Shape<unknown>>;
type Read<K extends Keys, Optional extends keyof K> = {
  [Name in Exclude<keyof K, Optional>]: ValueOf<K[Name]>;
} & { [Name in Optional]?: ValueOf<K[Name]> };

/**
 * An object with these keys and no others. They are the names of a record; the file has the documented ones, or those of
 * `spelled`. All are required except those in `optional`.
 */
export function object<K extends Keys, Optional extends keyof K & string = never>(
  keys: K,
  optional: readonly Optional[] = [],
  spelled: { [Name in keyof K]?: string } = {},
): Shape<Read<K, Optional>> {
  const parts = Object.entries(keys).map(([name, part]) => ({
    name,
    part,
    key: spelled[name] ?? documentedName(name),
  }));
  const properties = Object.fromEntries(parts.map(({ key, part }) => [key, part.schema]));
  const required = parts
    .filter(({ name }) => !(optional as readonly string[]).includes(name))
    .map(({ key }) => key);
  const read = (value: unknown) => {
    if (!isJsonObject(value)) throw new ShapeError('an object');
    for (const key of required) if (value[key] === undefined) throw new ShapeError(`an object with ${key}`);
    for (const key of Object.keys(value))
      // Every object has keys such as `constructor`, which are not in the format.
      if (!Object.hasOwn(properties, key)) throw new ShapeError(`an object without ${visibleExcerpt(key)}`);
    return Object.fromEntries(
      parts.flatMap(({ name, key, part }) =>
        value[key] === undefined ? [] : [[name, within(`.${key}`, () => part.read(value[key]))]],
      ),
    ) as Read<K, Optional>;
  };
  const write = (value: Record<string, unknown> | null | undefined) =>
    value
      ? Object.fromEntries(parts.map(({ name, key, part }) => [key, part.write(value[name])]))
      : undefined;
  return shape({ type: 'object', properties, required, additionalProperties: false }, read, write);
}

/** A text in both languages. */
export const localised: Shape<LocalisedText> = object({ en: text(500), fr: text(500) }, []);

/** Adds the place of a part to what is wrong with it. */
function within<T>(place: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof ShapeError)) throw error;
    throw new ShapeError(error.expected, 'format-error', place + error.place);
  }
}
