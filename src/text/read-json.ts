import { Transform } from 'node:stream';
import { type LocalisedText } from '../errors/catalogue.js';
import { type DomainError, unreadable } from '../errors/domain-error.js';
import { jsonFault } from './json-fault.js';

/** The limit on fields in a body, or on values in JSON. No documented request comes near. */
export const mostFields = 1_000;

export const tooManyFields = (): DomainError =>
  unreadable(`it has more than ${mostFields} fields`, `il a plus de ${mostFields} champs`);

export const isJsonObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const utf8 = new TextDecoder('utf-8', { fatal: true });
const lenient = new TextDecoder('utf-8', { ignoreBOM: true });

/**
 * @param options.of what the bytes belong to, for the message
 * @param options.placeOf maps an index in `body` to the index in the sent bytes
 * @throws DomainError body-format-error if it is not UTF-8
 */
export function decodeUtf8(
  body: Buffer,
  { of, placeOf = (at) => at }: { of?: LocalisedText; placeOf?: (at: number) => number } = {},
): string {
  try {
    return utf8.decode(body);
  } catch (cause) {
    const place = placeOf(findBadByte(body)) + 1;
    throw unreadable(
      `byte ${place}${of ? ` of ${of.en}` : ''} is not UTF-8`,
      `l’octet ${place}${of ? ` de ${of.fr}` : ''} n’est pas en UTF-8`,
      cause,
    );
  }
}

function findBadByte(body: Buffer): number {
  const replacement = Buffer.from('\uFFFD');
  let at = 0;
  for (const piece of lenient.decode(body).split('\uFFFD')) {
    at += Buffer.byteLength(piece);
    // A replacement character that the caller sent is valid UTF-8.
    if (!body.subarray(at, at + replacement.length).equals(replacement)) break;
    at += replacement.length;
  }
  return at;
}

/** Parses JSON (Contract 4.3.5). @throws DomainError body-format-error if it is not JSON, or has over 1,000 values */
export function parseJson(text: string): unknown {
  if (holdsTooMuch(text, mostFields)) throw tooManyFields();
  try {
    return JSON.parse(text);
  } catch (cause) {
    const { line, character } = jsonFault(text)!;
    throw unreadable(
      `it stops being JSON at line ${line}, character ${character}`,
      `ce n’est pas du JSON à partir de la ligne ${line}, caractère ${character}`,
      cause,
    );
  }
}

/** Counts before parsing: many small values take 20 times as long to parse as one long text. */
export function holdsTooMuch(json: string, mostValues: number, deepest = Infinity): boolean {
  let values = 0;
  let depth = 0;
  for (let at = 0; at < json.length; at += 1) {
    const character = json[at];
    if (character === '"') at = endOfText(json, at);
    else if (character === ']' || character === '}') depth -= 1;
    else if (character === ',' || character === '[' || character === '{') {
      values += 1;
      if (character !== ',') depth += 1;
      if (values > mostValues || depth > deepest) return true;
    }
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

/** Only the last piece of a multipart body may be smaller. */
const leastPieceBytes = 512;

/** Collects pieces in one buffer: in a buffer of its own, even a one-byte piece takes over 200 bytes. */
export class Gathered {
  #room = Buffer.alloc(0);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  get bytes(): Buffer {
    return this.#room.subarray(0, this.#length);
  }

  add(piece: Buffer): void {
    const length = this.#length + piece.length;
    if (length > this.#room.length) {
      const wider = Buffer.allocUnsafe(Math.max(length, 2 * this.#length));
      this.#room.copy(wider, 0, 0, this.#length);
      this.#room = wider;
    }
    piece.copy(this.#room, this.#length);
    this.#length = length;
  }
}

/** For readers that keep each piece in its own buffer. */
export function inLargerPieces(): Transform {
  let held = new Gathered();
  return new Transform({
    transform(piece: Buffer, _encoding, done) {
      if (held.length === 0 && piece.length >= leastPieceBytes) return done(null, piece);
      held.add(piece);
      if (held.length < leastPieceBytes) return done();
      const { bytes } = held;
      held = new Gathered();
      done(null, bytes);
    },
    flush: (done) => done(null, held.bytes),
  });
}
