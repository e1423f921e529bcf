import { randomUUID } from 'node:crypto';
import { type FileHandle, open, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline, type Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { parse } from 'csv-parse';
import { isJsonObject } from '../../text/read-json.js';
import { operatorFields, type RecordKind } from '../line-format.js';
import { type JsonSchema } from '../../fields/field-types.rules.js';
import { type RawLine, splitLines } from './split-lines.js';

const chunkBytes = 1_048_576;

/** A record before its values are checked. `length` is its approximate size in the file, in bytes. */
export type RawRecord = { number: number } & (
  | { values: Readonly<Record<string, unknown>>; length: number }
  /** `problem` is a sentence. */
  | { values: null; problem: string }
);

/** Can be read repeatedly. */
export interface InputFile {
  /** The name that the operator gave. */
  name: string;
  handle: FileHandle;
  bytes: number;
  /** Undefined for JSON Lines, where each line names its kind. */
  csvKind: RecordKind | undefined;
}

const failWith = (what: string) => (cause: unknown) => {
  throw new Error(`${what}: ${(cause as Error).message}`, { cause });
};

/** Copies standard input (`-`) to a file, since it can be read only once. @throws Error */
export async function openInputs(
  names: readonly string[],
  { csvKind, stdin }: { csvKind: RecordKind | undefined; stdin: Readable },
): Promise<{ files: InputFile[]; close: () => Promise<void> }> {
  const files: InputFile[] = [];
  const uncopied = failWith(`Standard input cannot be copied to ${tmpdir()}, the folder of TMPDIR`);
  const close = async () => void (await Promise.all(files.map(({ handle }) => handle.close())));
  try {
    for (const name of names) {
      const isCsv =
        /\.csv(\.gz)?$/i.test(name) || (csvKind !== undefined && !/\.(jsonl|ndjson)(\.gz)?$/i.test(name));
      if (isCsv && csvKind === undefined) throw new Error(`${name} is CSV: add --kind job or --kind company`);
      if (name === '-' && files.some((file) => file.name === '-'))
        throw new Error('Standard input (-) can be given only once.');
      const handle = await (name === '-' ? openUnnamed().catch(uncopied) : openFile(name));
      const file = { name, handle, bytes: 0, csvKind: isCsv ? csvKind : undefined };
      files.push(file);
      if (name === '-') await writeFile(handle, stdin).catch(uncopied);
      file.bytes = (await handle.stat()).size;
    }
    return { files, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function openFile(name: string): Promise<FileHandle> {
  const fail = failWith(`${name} cannot be read`);
  // Opening a named pipe would block until somebody writes to it.
  if (!(await stat(name).catch(fail)).isFile()) throw new Error(`${name} is not a file.`);
  return open(name).catch(fail);
}

/** Unlinks the file at once, so no e-mail addresses stay on disk, however the process ends. */
async function openUnnamed(): Promise<FileHandle> {
  const path = join(tmpdir(), `gateway-import-${randomUUID()}`);
  const handle = await open(path, 'wx+', 0o600);
  await rm(path);
  return handle;
}

/** @param onBytes gets the number of bytes just read @throws Error if the file cannot be read to its end */
export async function* readRecords(
  file: InputFile,
  onBytes: (count: number) => void,
): AsyncGenerator<RawRecord[]> {
  const bytes = readBytes(file.handle, onBytes);
  const isZipped = file.name.toLowerCase().endsWith('.gz');
  // The reader of the stream gets the error, so the callback can ignore it.
  const plain = isZipped ? pipeline(bytes, createGunzip({ chunkSize: chunkBytes }), () => undefined) : bytes;
  try {
    if (file.csvKind) yield* readCsv(plain as AsyncIterable<Buffer>, file.csvKind);
    else for await (const lines of splitLines(plain as AsyncIterable<Buffer>)) yield lines.map(readObject);
  } catch (cause) {
    failWith(`${file.name} cannot be read`)(cause);
  }
}

async function* readBytes(handle: FileHandle, onBytes: (count: number) => void): AsyncGenerator<Buffer> {
  for (let start = 0; ;) {
    const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(chunkBytes), 0, chunkBytes, start);
    if (bytesRead === 0) return;
    onBytes(bytesRead);
    start += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}

const notObject = 'The line must be one JSON object in UTF-8.';

function readObject({ number, text }: RawLine): RawRecord {
  const value = text === null ? null : parseJson(text);
  if (isJsonObject(value)) return { number, values: value, length: text!.length };
  return { number, values: null, problem: notObject };
}

/** A name that stands twice would lose a cell; one with a line end is a file whose lines end in CR alone. */
const areColumns = (cells: readonly string[]): boolean => {
  const names = cells.filter(Boolean);
  return (
    names.includes('public_id') &&
    new Set(names).size === names.length &&
    !names.some((name) => /[\r\n]/.test(name))
  );
};

const notCsv = 'The line must be CSV. Quote a cell that contains a quote, and double the quote.';
const noNames =
  'The line must name the columns, each once and public_id among them, separated by commas, semicolons or tabs, and end in LF or CRLF.';
const isLast = 'The rest of the file was not read.';

/** The first record names the columns. Stops at a malformed record, because its end is unknown. */
async function* readCsv(plain: AsyncIterable<Buffer>, kind: RecordKind): AsyncGenerator<RawRecord[]> {
  let brokenLine = Infinity;
  const texts = decoded(plain);
  const { value: start = '' } = (await texts.next()) as IteratorResult<string, undefined>;
  const parser = parse({
    // The first separator outside quotes. Spreadsheets write `;` in locales with a decimal comma.
    delimiter: /^[\r\n]*(?:"[^"]*"|[^"\n])*?([,;\t])/.exec(start)?.[1] ?? ',',
    // The parser would take the first line's end for the end of every line: a program that adds lines to a spreadsheet's file mixes them.
    recordDelimiter: ['\r\n', '\n'],
    info: true,
    relaxColumnCount: true,
    // Otherwise, the parser loses the good records of a chunk with a malformed record.
    skipRecordsWithError: true,
    onSkip: (error) => {
      brokenLine = Math.min(brokenLine, error?.lines as number);
    },
  });
  const whole = async function* () {
    yield start;
    yield* texts;
  };
  const records = pipeline(whole, parser, () => undefined) as AsyncIterable<{
    record: string[];
    info: { lines: number };
  }>;
  let head: string[] | undefined;
  let last = 0;
  let returns = 0;
  for await (const { record, info } of records) {
    if (info.lines >= brokenLine) break;
    const number = last + 1;
    // The parser counts each carriage return within a record as a line of its own.
    returns += record.join(',').split('\r').length - 1;
    last = info.lines - returns;
    const cells = record.map((cell) => cell.trim());
    if (cells.every((cell) => cell === '')) continue;
    if (!head && !areColumns(cells)) {
      yield [{ number, values: null, problem: `${noNames} ${isLast}` }];
      return;
    }
    if (!head) head = cells.map((name, index) => name || `column ${index + 1}`);
    else if (cells.length !== head.length)
      yield [{ number, values: null, problem: cellsProblem(head, cells) }];
    else yield [{ number, values: fromCells(head, cells, kind), length: record.join().length }];
  }
  if (brokenLine < Infinity) yield [{ number: last + 1, values: null, problem: `${notCsv} ${isLast}` }];
}

/** Without a byte order mark. @throws TypeError for bytes that are not UTF-8 */
async function* decoded(chunks: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  for await (const chunk of chunks) yield decoder.decode(chunk, { stream: true });
  yield decoder.decode();
}

const cellsProblem = (head: readonly string[], { length }: readonly string[]): string =>
  `The line must have ${head.length} cells like the first line, not ${length}.`;

/** Leaves out empty cells. Values other than texts are JSON; TRUE and True are accepted too, because spreadsheets and scripts write them. */
function fromCells(head: readonly string[], cells: readonly string[], kind: RecordKind) {
  const codecs = operatorFields[kind] as Record<string, { schema: JsonSchema }>;
  return Object.fromEntries(
    cells.flatMap((text, index) => {
      const name = head[index] ?? '';
      if (text === '') return [];
      const isOther = Object.hasOwn(codecs, name) && codecs[name]?.schema.type !== 'string';
      const json = /^(true|false)$/i.test(text) ? text.toLowerCase() : text;
      return [[name, isOther && /^(true|false|[[{][^]*)$/.test(json) ? (parseJson(json) ?? text) : text]];
    }),
  );
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
