import { isUtf8 } from 'node:buffer';
import { maxSidePixels } from '../../company/logo/logo-image.js';

/** The longest record, in bytes, without its logo where that is read by itself. */
export const longestRecordBytes = 16 * 1_048_576;
/** A logo of a large upload or former version has up to four bytes a pixel; in base64, with what the encoder adds, under six. */
const longestLogoBytes = 6 * maxSidePixels ** 2;

/** The longest line, in bytes. Every company that an export writes fits into one: an import could not bring it back otherwise. */
export const longestLineBytes = longestRecordBytes + longestLogoBytes;
/** Fits almost every line. */
const usualLineBytes = 1_048_576;

/** Of what a line holds. A company with a thousand offices and memberships, before and after a change, is a quarter of it. */
export const mostValues = 100_000;
/** How deep a line's values may be nested. Lines of the format are nested six deep. */
export const deepestLine = 32;

const newline = 10;
const [quote, backslash, comma] = [0x22, 0x5c, 0x2c];
const [openList, closeList, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d];

/** Counts what JSON holds before anything is made of it: a line of small values takes 40 times its bytes once it is read. */
export class JsonBounds {
  /** Where the longest text begins and ends. */
  longest = { start: 0, end: 0 };
  private read = 0;
  private values = 0;
  private depth = 0;
  private textStart = 0;
  private isInText = false;
  private isEscaped = false;

  /** Reads the bytes that come next. @returns whether all so far have at most `mostValues` values, nested `deepestLine` deep */
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

/** A line of a file. */
export interface RawLine {
  number: number;
  /** null if it is no UTF-8, or exceeds a bound */
  text: string | null;
  /** Of a line longer than `longestRecordBytes`, its longest text, read as base64. It is empty in `text`. */
  logo?: Buffer;
}

/** The lines of a stream without blank ones, those of one chunk at a time. Holds at most the longest line in memory. */
export async function* splitLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<RawLine[]> {
  // A long line moves once to a buffer for the longest, of which only what the line fills takes memory.
  // Doubling the buffer would hold a long line twice, and allocating the large one for every file costs a full collection.
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

/** In pieces of whole groups of four characters: as one text, they would take their bytes once more. */
function readBase64(characters: Buffer): Buffer {
  const bytes = Buffer.allocUnsafeSlow(Math.ceil((characters.length * 3) / 4));
  let length = 0;
  for (let at = 0; at < characters.length; at += pieceCharacters)
    length += bytes.write(characters.toString('latin1', at, at + pieceCharacters), length, 'base64');
  return bytes.subarray(0, length);
}

const pieceCharacters = 4 * 65_536;
