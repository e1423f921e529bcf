import { isUtf8 } from 'node:buffer';
import { maxSidePixels } from '../../company/logo/logo-image.js';
import { Gathered, holdsTooMuch } from '../../text/read-json.js';

/** In a longer line, the logo is read separately and does not count. */
export const longestRecordBytes = 16 * 1_048_576;
/** A logo from an old version, or under a large upload limit, can have four bytes a pixel, so under six a pixel in base64. */
const longestLogoBytes = 6 * maxSidePixels ** 2;

/** Every company that an export writes fits. */
export const longestLineBytes = longestRecordBytes + longestLogoBytes;

/** JSON values in one line: four times those of a history line with a thousand offices and memberships, before and after a change. */
export const mostValues = 100_000;
/** The format needs six levels. */
export const deepestLine = 32;

const [newline, quote] = [0x0a, 0x22];

export interface RawLine {
  number: number;
  /** Null if the line is not UTF-8 or exceeds a limit. */
  text: string | null;
  /** The longest string of a line over `longestRecordBytes`, decoded from base64 and empty in `text`. */
  logo?: Buffer;
}

/** Skips blank lines, and buffers at most one unfinished line. */
export async function* splitLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<RawLine[]> {
  let number = 0;
  let line = new Gathered();
  let isTooLong = false;
  const add = (part: Buffer): void => {
    isTooLong ||= line.length + part.length > longestLineBytes;
    if (!isTooLong) line.add(part);
  };
  const take = (end: Buffer): RawLine[] => {
    number += 1;
    add(end);
    const read = isTooLong ? { text: null } : readLine(line.bytes);
    line = new Gathered();
    isTooLong = false;
    return read.text?.trim() === '' ? [] : [{ number, ...read }];
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
  if (line.length > 0 || isTooLong) yield take(Buffer.alloc(0));
}

function readLine(bytes: Buffer): Omit<RawLine, 'number'> {
  if (bytes.length <= longestRecordBytes) return { text: readText(bytes) };
  const { start, end } = longestString(bytes);
  const rest = Buffer.concat([bytes.subarray(0, start), bytes.subarray(end)]);
  return rest.length > longestRecordBytes
    ? { text: null }
    : { text: readText(rest), logo: readBase64(bytes.subarray(start, end)) };
}

function readText(bytes: Buffer): string | null {
  const text = isUtf8(bytes) ? bytes.toString('utf8').replace(/^\uFEFF/, '') : null;
  return text !== null && exceedsLine(text) ? null : text;
}

/** A parsed line of small values takes 40 times as much memory as its text. */
export const exceedsLine = (json: string): boolean => holdsTooMuch(json, mostValues, deepestLine);

/** Finds the longest string without an escaped quotation mark, such as base64. */
function longestString(bytes: Buffer): { start: number; end: number } {
  let longest = { start: 0, end: 0 };
  let start = 0;
  for (let end = bytes.indexOf(quote); end >= 0; end = bytes.indexOf(quote, start)) {
    if (end - start > longest.end - longest.start) longest = { start, end };
    start = end + 1;
  }
  return longest;
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
