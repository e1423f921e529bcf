import { isUtf8 } from 'node:buffer';
import { maxSidePixels } from '../../company/logo/logo-image.js';

/** In a longer line, the logo is read separately and does not count. */
export const longestRecordBytes = 16 * 1_048_576;
/**
 * A logo from an old version, or under a large upload limit, can have four bytes a pixel. In base64, and with the encoder's overhead,
 * this is less than six bytes a pixel.
 */
const longestLogoBytes = 6 * maxSidePixels ** 2;

/** Every company that an export writes fits. */
export const longestLineBytes = longestRecordBytes + longestLogoBytes;
/** Enough for almost every line. */
const usualLineBytes = 1_048_576;

/**
 * JSON values in one line. A history line with a thousand offices and a thousand memberships, before and after a change, needs a quarter
 * of this limit.
 */
export const mostValues = 100_000;
/** The format needs six levels. */
export const deepestLine = 32;

const newline = 10;
const [quote, backslash, comma] = [0x22, 0x5c, 0x2c];
const [openList, closeList, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d];

/** Counts before parsing: a parsed line of small values takes 40 times as much memory as its text. */
export class JsonBounds {
  /** The longest string. */
  longest = { start: 0, end: 0 };
  private read = 0;
  private values = 0;
  private depth = 0;
  private textStart = 0;
  private isInText = false;
  private isEscaped = false;

  /** @returns whether the line so far has at most `mostValues` values, nested at most `deepestLine` deep */
  allow(bytes: Buffer): boolean {
    for (let at = 0; at < bytes.length; at += 1) {
      const byte = bytes[at]!;
      if (this.isInText) {
        if (this.isEscaped) this.isEscaped = false;
        else if (byte === backslash) this.isEscaped = true;
        else if (byte === quote) this.endText(this.read + at);
      } else if (byte === quote) {
        this.isInText = true;
        this.textStart = this.read + at + 1;
      } else if (byte === comma) this.values += 1;
      else if (byte === openList || byte === openObject) {
        this.values += 1;
        this.depth += 1;
        if (this.depth > deepestLine) return false;
      } else if (byte === closeList || byte === closeObject) this.depth -= 1;
    }
    this.read += bytes.length;
    return this.values <= mostValues;
  }

  private endText(end: number): void {
    this.isInText = false;
    if (end - this.textStart > this.longest.end - this.longest.start)
      this.longest = { start: this.textStart, end };
  }
}

export interface RawLine {
  number: number;
  /** Null if the line is not UTF-8 or exceeds a limit. */
  text: string | null;
  /** The longest string of a line over `longestRecordBytes`, decoded from base64 and empty in `text`. */
  logo?: Buffer;
}

/** Skips blank lines, and buffers at most one unfinished line. */
export async function* splitLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<RawLine[]> {
  // A long line moves once to a buffer of the maximum size, of which only the filled part takes memory. Doubling the buffer would put a
  // long line in memory twice. Allocating the large buffer for every file would cost a full garbage collection.
  let room = Buffer.allocUnsafeSlow(usualLineBytes);
  let number = 0;
  let length = 0;
  let bounds = new JsonBounds();
  let isRefused = false;
  const add = (part: Buffer): void => {
    isRefused ||= length + part.length > longestLineBytes || !bounds.allow(part);
    if (isRefused) return;
    if (length + part.length > room.length) {
      const largest = Buffer.allocUnsafeSlow(longestLineBytes);
      room.copy(largest, 0, 0, length);
      room = largest;
    }
    length += part.copy(room, length);
  };
  const take = (end: Buffer): RawLine[] => {
    number += 1;
    add(end);
    const line = isRefused ? { text: null } : readText(room.subarray(0, length), bounds.longest);
    length = 0;
    bounds = new JsonBounds();
    isRefused = false;
    return line.text !== null && line.text.trim() === '' ? [] : [{ number, ...line }];
  };
  for await (const chunk of chunks) {
    const lines: RawLine[] = [];
    let start = 0;
    for (let end = chunk.indexOf(newline); end >= 0; end = chunk.indexOf(newline, start)) {
      lines.push(...take(chunk.subarray(start, end)));
      start = end + 1;
    }
    add(chunk.subarray(start));
    yield lines;
  }
  if (length > 0 || isRefused) yield take(Buffer.alloc(0));
}

function readText(bytes: Buffer, longest: { start: number; end: number }): Omit<RawLine, 'number'> {
  if (bytes.length > longestRecordBytes) {
    const rest = Buffer.concat([bytes.subarray(0, longest.start), bytes.subarray(longest.end)]);
    return rest.length > longestRecordBytes
      ? { text: null }
      : { ...readText(rest, longest), logo: readBase64(bytes.subarray(longest.start, longest.end)) };
  }
  return { text: isUtf8(bytes) ? bytes.toString('utf8').replace(/^\uFEFF/, '') : null };
}

/** Decodes in pieces of whole four-character groups: decoding at once would copy all characters to a string. */
function readBase64(characters: Buffer): Buffer {
  const bytes = Buffer.allocUnsafeSlow(Math.ceil((characters.length * 3) / 4));
  let length = 0;
  for (let at = 0; at < characters.length; at += pieceCharacters)
    length += bytes.write(characters.toString('latin1', at, at + pieceCharacters), length, 'base64');
  return bytes.subarray(0, length);
}

const pieceCharacters = 4 * 65_536;
