import { type LocalisedText } from '../errors/catalogue.js';
import { type DomainError, unreadable } from '../errors/domain-error.js';

/** The limit on fields in a body, or on values in JSON. No documented request comes near. */
export const mostFields = 1_000;

export const tooManyFields = (): DomainError =>
  unreadable(`it has more than ${mostFields} fields`, `il a plus de ${mostFields} champs`);

export const isJsonObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** @param of what the bytes belong to, for the message @throws DomainError body-format-error if it is not UTF-8 */
export function decodeUtf8(body: Buffer, of: LocalisedText = { en: 'it', fr: 'il' }): string {
  try {
    return utf8.decode(body);
  } catch (cause) {
    throw unreadable(`${of.en} is not UTF-8`, `${of.fr} n’est pas en UTF-8`, cause);
  }
}

/** Parses JSON. @throws DomainError body-format-error if it is not JSON, or has over 1,000 values */
export function parseJson(text: string): unknown {
  if (holdsTooMuch(text)) throw tooManyFields();
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw unreadable('it is not JSON', 'ce n’est pas du JSON', cause);
  }
}

/** Counts before parsing: many small values take 20 times as long to parse as one long text. */
function holdsTooMuch(json: string): boolean {
  let values = 0;
  for (let at = 0; at < json.length; at += 1) {
    const character = json[at];
    if (character === '"') at = endOfText(json, at);
    else if (character === ',' || character === '[' || character === '{') values += 1;
    if (values > mostFields) return true;
  }
  return false;
}

/** The index of the closing quotation mark, or the JSON's length if there is none. */
function endOfText(json: string, start: number): number {
  for (let end = json.indexOf('"', start + 1); end !== -1; end = json.indexOf('"', end + 1)) {
    let backslashes = 0;
    while (json[end - 1 - backslashes] === '\\') backslashes += 1;
    if (backslashes % 2 === 0) return end;
  }
  return json.length;
}
