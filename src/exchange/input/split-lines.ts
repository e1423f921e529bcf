import { isUtf8 } from 'node:buffer';
import { maxSidePixels } from '../../company/logo/logo-image.js';

const everythingElseBytes = 16 * 1_048_576;
/** A logo of a large upload or former version has up to four bytes a pixel; in base64, with what the encoder adds, under six. */
const longestLogoBytes = 6 * maxSidePixels ** 2;

/** The longest line, in bytes. Every company that an export writes fits into one: an import could not bring it back otherwise. */
export const longestLineBytes = everythingElseBytes + longestLogoBytes;

const newline = 10;

/** A line of a file. Its text is null if it is too long or no UTF-8. */
interface RawLine {
  number: number;
  text: string | null;
}

/** The lines of a stream without blank ones, those of one chunk at a time. Holds at most the longest line in memory. */
export async function* splitLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<RawLine[]> {
  let number = 0;
  let rest: Buffer[] = [];
  let restBytes = 0;
  const take = (end: Buffer): RawLine[] => {
    number += 1;
    const isTooLong = restBytes + end.length > longestLineBytes;
    const bytes = isTooLong ? null : rest.length > 0 ? Buffer.concat([...rest, end]) : end;
    rest = [];
    restBytes = 0;
    const text = bytes && isUtf8(bytes) ? bytes.toString('utf8').replace(/^\uFEFF/, '') : null;
    return text !== null && text.trim() === '' ? [] : [{ number, text }];
  };
  for await (const chunk of chunks) {
    const lines: RawLine[] = [];
    let start = 0;
    for (let end = chunk.indexOf(newline); end >= 0; end = chunk.indexOf(newline, start)) {
      lines.push(...take(chunk.subarray(start, end)));
      start = end + 1;
    }
    const left = chunk.subarray(start);
    restBytes += left.length;
    if (restBytes <= longestLineBytes) rest.push(left);
    else rest = [];
    yield lines;
  }
  if (restBytes > 0) yield take(Buffer.alloc(0));
}
