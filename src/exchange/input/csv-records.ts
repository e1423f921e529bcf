import { decodeUtf8, longestLineBytes, type RawLine } from './split-lines.js';

/** A record of CSV, by the number of its first line. */
type CsvRecord = { number: number } & (
  | { cells: string[] }
  /** If nobody can tell where it ends, what seems to be the next record may be a part of its texts. */
  | { problem: string; isEndKnown: boolean }
);

const notUtf8 = { problem: 'The line must be in UTF-8.', isEndKnown: true };
const notCsv = {
  problem: `The line must be CSV of at most ${longestLineBytes / 1_048_576} MiB, in which a cell with a quote stands in quotes and has that quote doubled.`,
  isEndKnown: false,
};

const newline = Buffer.from('\n');
const quote = 34;

/** The lines of a record, as far as they are known. */
interface Open {
  number: number;
  parts: Buffer[];
  bytes: number;
  hasOpenQuote: boolean;
}

/** The records of CSV without blank ones, those of one chunk at a time. A record goes on in the next line while a quote is open. */
export async function* csvRecords(chunks: AsyncIterable<RawLine[]>): AsyncGenerator<CsvRecord[]> {
  let open: Open | null = null;
  for await (const lines of chunks) {
    const records: CsvRecord[] = [];
    for (const { number, bytes } of lines) {
      open ??= { number, parts: [], bytes: 0, hasOpenQuote: false };
      open.bytes += bytes?.length ?? Infinity;
      if (bytes) {
        open.parts.push(bytes, newline);
        if (countQuotes(bytes) % 2 === 1) open.hasOpenQuote = !open.hasOpenQuote;
      }
      if (open.hasOpenQuote && open.bytes <= longestLineBytes) continue;
      records.push(...readRecord(open));
      open = null;
    }
    yield records;
  }
  if (open) yield readRecord(open);
}

/** The record of these lines; none if they are blank. */
function readRecord({ number, parts, bytes }: Open): CsvRecord[] {
  if (bytes > longestLineBytes) return [{ number, ...notCsv }];
  const text = decodeUtf8(Buffer.concat(parts));
  if (text === null) return [{ number, ...notUtf8 }];
  if (text.trim() === '') return [];
  const cells = splitCells(text.replace(/\r?\n$/, ''));
  if (!cells) return [{ number, ...notCsv }];
  return cells.every((cell) => cell.trim() === '') ? [] : [{ number, cells }];
}

/** The cells of a record; null if it has quotes or line breaks where CSV (RFC 4180) has none. */
function splitCells(text: string): string[] | null {
  const cells: string[] = [];
  for (let start = 0; start <= text.length;) {
    const isQuoted = text[start] === '"';
    const end = isQuoted ? closingQuote(text, start) + 1 : nextComma(text, start);
    const cell = text.slice(start, end);
    if (isQuoted ? end !== text.length && text[end] !== ',' : /["\r\n]/.test(cell)) return null;
    cells.push(isQuoted ? cell.slice(1, -1).replaceAll('""', '"') : cell);
    start = end + 1;
  }
  return cells;
}

function nextComma(text: string, start: number): number {
  const at = text.indexOf(',', start);
  return at < 0 ? text.length : at;
}

/** Where the cell's last quote is; the end if it has none. Two quotes in a row stand for one in its text. */
function closingQuote(text: string, start: number): number {
  let at = text.indexOf('"', start + 1);
  while (at >= 0 && text[at + 1] === '"') at = text.indexOf('"', at + 2);
  return at < 0 ? text.length : at;
}

function countQuotes(bytes: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf(quote); at >= 0; at = bytes.indexOf(quote, at + 1)) count += 1;
  return count;
}
