import { isUtf8 } from 'node:buffer';
import { randomUUID } from 'node:crypto';
import { type FileHandle, open, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline, type Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { parse } from 'csv-parse';
import { isJsonObject } from '../../text/read-json.js';
import { jsonFault } from '../../text/json-fault.js';
import { operatorFields, type RecordKind } from '../line-format.js';
import { type JsonSchema } from '../../fields/kinds.rules.js';
import {
  deepestLine,
  exceedsLine,
  longestRecordBytes,
  longestLineBytes,
  mostValues,
  type RawLine,
  splitLines,
} from './split-lines.js';

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

const ofBounds = `at most ${mostValues} values, nested at most ${deepestLine} deep`;
const notObject = `The line must be one JSON object in UTF-8, with ${ofBounds}, and at most ${longestRecordBytes / 1_048_576} MiB, or ${longestLineBytes / 1_048_576} MiB with a logo.`;

function readObject({ number, text, logo }: RawLine): RawRecord {
  const value = text === null ? null : parseJson(text);
  if (isJsonObject(value) && (!logo || putLogo(value, logo)))
    return { number, values: value, length: text!.length + (logo?.length ?? 0) };
  const fault = value === undefined && !logo ? jsonFault(text!) : undefined;
  const place = fault ? ` It is not JSON from character ${fault.index + 1} on.` : '';
  return { number, values: null, problem: notObject + place };
}

/** Puts the decoded logo where its base64 text was cut out. @returns false if the text was cut out elsewhere */
function putLogo({ logo }: Record<string, unknown>, bytes: Buffer): boolean {
  if (!isJsonObject(logo) || logo.base64 !== '') return false;
  logo.base64 = bytes;
  return true;
}

const byteOrderMark = Buffer.from('\uFEFF');
const notUtf8 = 'The line must be in UTF-8.';
const notCsv = `The line must be CSV of at most ${longestRecordBytes / 1_048_576} MiB. Quote a cell that contains a quote, and double the quote.`;
const tooMuchJson = `Each cell of the line must have ${ofBounds}.`;
const doubleName = 'The line must name each column once.';
const noNames =
  'The line must name the columns, public_id among them, separated by commas, semicolons or tabs.';
const isLast = 'The rest of the file was not read.';

/** The first line `sep=;` tells spreadsheets the separator. */
const separatorLine = /^"?sep=([^"\r\n])"?\r?\n/i;

/** The first record names the columns, unless it is a {@link separatorLine}. Stops at a malformed record, because its end is unknown. */
async function* readCsv(plain: AsyncIterable<Buffer>, kind: RecordKind): AsyncGenerator<RawRecord[]> {
  let brokenLine = Infinity;
  const chunks = plain[Symbol.asyncIterator]();
  const start = withoutMark(((await chunks.next()) as IteratorResult<Buffer, undefined>).value);
  const text = start.toString('latin1');
  const declared = separatorLine.exec(text)?.[1];
  // The first separator outside quotes. Spreadsheets write `;` in locales with a decimal comma.
  const delimiter = declared ?? /^[\r\n]*(?:"[^"]*"|[^"\n])*?([,;\t])/.exec(text)?.[1] ?? ',';
  const parser = parse({
    delimiter,
    // One character per byte, checked for UTF-8 later: the parser would replace invalid bytes by U+FFFD, which a text may also contain.
    encoding: 'latin1',
    info: true,
    relaxColumnCount: true,
    maxRecordSize: longestRecordBytes,
    // Otherwise, the parser loses the good records of a chunk with a malformed record.
    skipRecordsWithError: true,
    onSkip: (error) => {
      brokenLine = Math.min(brokenLine, error?.lines as number);
    },
  });
  const whole = async function* () {
    yield start;
    yield* { [Symbol.asyncIterator]: () => chunks };
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
    const bytes = record.map((cell) => Buffer.from(cell, 'latin1'));
    const isGarbled = !bytes.every(isUtf8);
    const cells = bytes.map((cell) => cell.toString('utf8').trim());
    if (cells.every((cell) => cell === '') || (number === 1 && declared !== undefined)) continue;
    const isTooMuch = cells.some((cell) => /^[[{]/.test(cell) && exceedsLine(cell));
    const problem = isGarbled
      ? notUtf8
      : isTooMuch
        ? tooMuchJson
        : head
          ? cellsProblem(head, cells)
          : namesProblem(cells);
    if (problem !== null) yield [{ number, values: null, problem: head ? problem : `${problem} ${isLast}` }];
    else if (head) yield [{ number, values: fromCells(head, cells, kind), length: record.join().length }];
    else head = cells.map((name, index) => name || `column ${index + 1}`);
    if (!head) return;
  }
  if (brokenLine < Infinity) yield [{ number: last + 1, values: null, problem: `${notCsv} ${isLast}` }];
}

/** A byte order mark before a quoted first cell would make the record malformed. */
const withoutMark = (start: Buffer = Buffer.alloc(0)): Buffer =>
  start.subarray(0, byteOrderMark.length).equals(byteOrderMark)
    ? start.subarray(byteOrderMark.length)
    : start;

function namesProblem(cells: readonly string[]): string | null {
  const names = cells.filter(Boolean);
  return !names.includes('public_id') ? noNames : new Set(names).size < names.length ? doubleName : null;
}

const cellsProblem = (head: readonly string[], { length }: readonly string[]): string | null =>
  length === head.length
    ? null
    : `The line must have ${head.length} cells like the first line, not ${length}.`;

/** Leaves out empty cells. Values other than texts are JSON; TRUE and True are accepted too, because spreadsheets and scripts write them. */
function fromCells(head: readonly string[], cells: readonly string[], kind: RecordKind) {
  const shapes = operatorFields[kind] as Record<string, { schema: JsonSchema }>;
  return Object.fromEntries(
    cells.flatMap((text, index) => {
      const name = head[index] ?? '';
      if (text === '') return [];
      const isOther = Object.hasOwn(shapes, name) && shapes[name]?.schema.type !== 'string';
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
