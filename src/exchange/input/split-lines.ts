import { isUtf8 } from 'node:buffer';

const newline = 0x0a;

export interface RawLine {
  number: number;
  /** Null if the line is not UTF-8. */
  text: string | null;
}

/** Skips blank lines, and buffers at most one unfinished line. */
export async function* splitLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<RawLine[]> {
  let number = 0;
  let begun: Buffer[] = [];
  const take = (end: Buffer): RawLine[] => {
    number += 1;
    const bytes = Buffer.concat([...begun, end]);
    begun = [];
    const text = isUtf8(bytes) ? bytes.toString('utf8').replace(/^\uFEFF/, '') : null;
    return text?.trim() === '' ? [] : [{ number, text }];
  };
  for await (const chunk of chunks) {
    const lines: RawLine[] = [];
    let start = 0;
    for (let end = chunk.indexOf(newline); end >= 0; end = chunk.indexOf(newline, start)) {
      lines.push(...take(chunk.subarray(start, end)));
      start = end + 1;
    }
    begun.push(chunk.subarray(start));
    yield lines;
  }
  yield take(Buffer.alloc(0));
}
