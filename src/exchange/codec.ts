import { Types } from 'mongoose';
import { codePointLength, unstorable } from '../fields/field-reader.rules.js';
import { type JsonSchema } from '../fields/field-types.rules.js';
import { isJsonObject } from '../text/read-json.js';
import { instantOrDate, readInstantOrDate } from '../fields/instant.rules.js';
import { parseUrl } from '../text/parse-url.rules.js';
import { isBlank } from '../text/invisible.rules.js';
import { type LocalisedText } from '../errors/catalogue.js';
import { snakeCase } from '../errors/snake-case.js';
import { visibleExcerpt } from '../errors/messages.js';

/** The message goes after `must be`. */
export class CodecError extends Error {
  override readonly name = 'ShapeError';

  constructor(
    readonly expected: string,
    /** The suffix of the fault code. */
    readonly kind: 'format-error' | 'must-be-string' | 'too-long' = 'format-error',
    /** The invalid part of the value, such as `[0].name`; '' for the whole value. */
    readonly place = '',
  ) {
    super(place === '' ? expected : `valid: ${place} must be ${expected}`);
  }
}

/** A type of value in the file: imports read it, and exports write it. */
export interface Codec<T> {
  schema: JsonSchema;
  /** @throws ShapeError */
  read(this: void, value: unknown): T;
  /** Returns undefined to omit the key. */
  write(this: void, value: T): unknown;
}

export type ValueOf<S> = S extends Codec<infer T> ? T : never;

/** In code points. */
export const longestPublicId = 150;

const hexId = /^[\da-f]{24}$/i;
/** Without `;`, which separates ids, half surrogate pairs, which would be stored as another character, and the path parts `.` and `..`. */
const publicIdPattern = new RegExp(`^(?!\\.\\.?$)[^\\s\\p{Cc}\\p{Cs};]{1,${longestPublicId}}$`, 'u');

const codec = <T>(
  schema: JsonSchema,
  read: (value: unknown) => T,
  write: (value: T) => unknown = (value) => value ?? undefined,
): Codec<T> => ({ schema, read, write });

function textOf(value: unknown): string {
  if (typeof value !== 'string') throw new CodecError('a string', 'must-be-string');
  return value.trim();
}

/** Reads a text. `parse` returns undefined if the text is not `expected`. */
const parsed = <T>(schema: JsonSchema, expected: string, parse: (text: string) => T | undefined): Codec<T> =>
  codec(schema, (value) => {
    const read = parse(textOf(value));
    if (read === undefined) throw new CodecError(expected);
    return read;
  });

/** A text of 1 to `maximum` code points. */
export const text = (maximum: number): Codec<string> =>
  codec({ type: 'string', minLength: 1, maxLength: maximum }, (value) => {
    const content = textOf(value);
    if (isBlank(content)) throw new CodecError('a text that is not empty');
    if (unstorable.test(content))
      throw new CodecError('a text of whole Unicode characters, without control characters');
    if (codePointLength(content) > maximum)
      throw new CodecError(`a text of at most ${maximum} characters`, 'too-long');
    return content;
  });

/** A text of 0 to `maximum` code points. */
export const freeText = (maximum: number): Codec<string> =>
  codec({ type: 'string', maxLength: maximum }, (value) =>
    typeof value === 'string' && isBlank(value) ? '' : text(maximum).read(value),
  );

export const base64: Codec<Buffer> = codec({ type: 'string', contentEncoding: 'base64' }, (value) =>
  Buffer.from(textOf(value), 'base64'),
);

export const publicId = parsed(
  { type: 'string', pattern: '^(?!\\.\\.?$)[^\\s;]+$', maxLength: longestPublicId },
  `a public id of 1 to ${longestPublicId} characters, without spaces, control characters and ;, but not . or ..`,
  (id) => (publicIdPattern.test(id) ? id : undefined),
);

export const publicIds: Codec<string[]> = codec({ type: 'string' }, (value) =>
  textOf(value)
    .split(';')
    .map((id) => publicId.read(id)),
);

export const urlTemplate: Codec<string> = codec({ type: 'string', maxLength: 2_048 }, (value) => {
  const content = text(2_048).read(value);
  const url = parseUrl(content.replaceAll(/\{(?:company|job)\}/g, 'x'));
  if (!url || !/^https?:$/.test(url.protocol) || !content.includes('{job}'))
    throw new CodecError('an http or https URL with {job}, and optionally {company}');
  return content;
});

export const recordId = parsed(
  { type: 'string', pattern: '^[0-9a-fA-F]{24}$' },
  'an id of 24 hexadecimal digits',
  (id) => (hexId.test(id) ? Types.ObjectId.createFromHexString(id) : undefined),
);

/** {@link readInstantOrDate} says which texts are valid. A date is the first instant of its UTC day. */
export const instant = parsed(
  { type: 'string', anyOf: [{ format: 'date-time' }, { format: 'date' }] },
  instantOrDate.en,
  (content) => readInstantOrDate(content)?.first,
);

export const flag: Codec<boolean> = codec({ type: 'boolean' }, (value) => {
  if (typeof value !== 'boolean') throw new CodecError('true or false');
  return value;
});

export const count = (maximum: number): Codec<number> =>
  codec({ type: 'integer', minimum: 0, maximum }, (value) => {
    if (typeof value !== 'number' || !Number.isInteger(value) || value < 0 || value > maximum)
      throw new CodecError(`a whole number from 0 to ${maximum}`);
    return value;
  });

export const textOrCount = (longest: number, maximum: number): Codec<string | number> => {
  const [ofText, ofCount] = [text(longest), count(maximum)];
  return codec({ anyOf: [ofText.schema, ofCount.schema] }, (value): string | number =>
    (typeof value === 'number' ? ofCount : ofText).read(value),
  );
};

export const choice = <const T extends string>(choices: readonly T[]): Codec<T> =>
  parsed({ enum: choices }, `one of ${choices.join(', ')}`, (content) =>
    choices.find((each) => each === content),
  );

export const nullable = <T>({ schema, read, write }: Codec<T>): Codec<T | null> =>
  codec(
    { anyOf: [schema, { type: 'null' }] },
    (value) => (value === null ? null : read(value)),
    (value) => (value === null ? null : write(value)),
  );

/** At most `maximum` objects, with unique values for each key in `distinct`. */
export const listOf = <T extends object>(
  item: Codec<T>,
  maximum: number,
  distinct: readonly string[],
): Codec<T[]> => {
  const read = (value: unknown) => {
    if (!Array.isArray(value)) throw new CodecError('a list');
    if (value.length > maximum) throw new CodecError(`a list of at most ${maximum}`, 'too-long');
    const list = value.map((element, index) => within(`[${index}]`, () => item.read(element)));
    const written = write(list) as Record<string, string | Types.ObjectId | undefined>[];
    for (const key of distinct) {
      const seen = new Set<string>();
      for (const [index, { [key]: identity }] of written.entries()) {
        if (identity === undefined) continue;
        if (seen.has(String(identity)))
          throw new CodecError('unique in the list', 'format-error', `[${index}].${key}`);
        seen.add(String(identity));
      }
    }
    return list;
  };
  const write = (list: T[]) => list.map(item.write);
  return codec({ type: 'array', items: item.schema, maxItems: maximum }, read, write);
};

type Codecs = Record<string, Codec<unknown>>;
type ObjectOf<K extends Codecs, Optional extends keyof K> = {
  [Name in Exclude<keyof K, Optional>]: ValueOf<K[Name]>;
} & { [Name in Optional]?: ValueOf<K[Name]> };

/** An object with these keys and no others. The file has the documented names of `keys`, or the names in `spelled`. */
export function object<K extends Codecs, Optional extends keyof K & string = never>(
  keys: K,
  optional: readonly Optional[] = [],
  spelled: { [Name in keyof K]?: string } = {},
): Codec<ObjectOf<K, Optional>> {
  const parts = Object.entries(keys).map(([name, part]) => ({
    name,
    part,
    key: spelled[name] ?? snakeCase(name),
  }));
  const properties = Object.fromEntries(parts.map(({ key, part }) => [key, part.schema]));
  const required = parts
    .filter(({ name }) => !(optional as readonly string[]).includes(name))
    .map(({ key }) => key);
  const read = (value: unknown) => {
    if (!isJsonObject(value)) throw new CodecError('an object');
    for (const key of required) if (value[key] === undefined) throw new CodecError(`an object with ${key}`);
    for (const key of Object.keys(value))
      // `constructor` and other inherited keys are not in the format.
      if (!Object.hasOwn(properties, key)) throw new CodecError(`an object without ${visibleExcerpt(key)}`);
    return Object.fromEntries(
      parts.flatMap(({ name, key, part }) =>
        value[key] === undefined ? [] : [[name, within(`.${key}`, () => part.read(value[key]))]],
      ),
    ) as ObjectOf<K, Optional>;
  };
  const write = (value: Record<string, unknown> | null | undefined) =>
    value
      ? Object.fromEntries(parts.map(({ name, key, part }) => [key, part.write(value[name])]))
      : undefined;
  return codec({ type: 'object', properties, required, additionalProperties: false }, read, write);
}

export const localised: Codec<LocalisedText> = object({ en: text(500), fr: text(500) }, []);

/** If reading a part of a value fails, adds the place of the part to the error. */
function within<T>(place: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof CodecError)) throw error;
    throw new CodecError(error.expected, 'format-error', place + error.place);
  }
}
