import { DomainError } from '../errors/domain-error.js';

/** The fields of a body as they came: a text, several where a form repeats a key, or whatever JSON holds. */
export type BodyFields = Record<string, unknown>;

/** More than any documented request has; what is past it is noise or an attack. */
export const mostFields = 1_000;

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** The text of a body. @throws DomainError body-format-error when it is not UTF-8 */
export function decodeUtf8(body: Buffer): string {
  try {
    return utf8.decode(body);
  } catch (cause) {
    throw new DomainError('body-format-error', { cause });
  }
}

/**
 * Reads `application/x-www-form-urlencoded`: a repeated key gives a list (Contract 4.3.2).
 * @throws DomainError body-format-error when it is not UTF-8 or has more than a thousand fields
 */
export function readForm(body: Buffer): BodyFields {
  const text = decodeUtf8(body);
  const fields = new Map<string, string[]>();
  let count = 0;
  for (const [name, value] of new URLSearchParams(text)) {
    if ((count += 1) > mostFields) throw new DomainError('body-format-error');
    // Escapes that are no UTF-8 come out as U+FFFD; stored, they would be lost without a word.
    if (value.includes('\uFFFD') && !/\uFFFD|%EF%BF%BD/i.test(text))
      throw new DomainError('body-format-error');
    addField(fields, name, value);
  }
  return fieldsOf(fields);
}

export function addField<T>(fields: Map<string, T[]>, name: string, value: T): void {
  const values = fields.get(name);
  if (values) values.push(value);
  else fields.set(name, [value]);
}

export const fieldsOf = (fields: ReadonlyMap<string, unknown[]>): BodyFields =>
  Object.fromEntries([...fields].map(([name, values]) => [name, values.length === 1 ? values[0] : values]));

/** Reads a JSON object. @throws DomainError body-format-error when it is not one */
export function readJson(body: Buffer): BodyFields {
  let value: unknown;
  try {
    value = JSON.parse(decodeUtf8(body));
  } catch (cause) {
    throw new DomainError('body-format-error', { cause });
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new DomainError('body-format-error');
  return value as BodyFields;
}
