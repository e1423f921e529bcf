import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { parse } from 'csv-parse';
import { operatorFields, type RecordKind } from '../record-format.js';
import { type JsonSchema } from '../shape.js';
import { longestLineBytes, splitLines } from './split-lines.js';

const chunkBytes = 1_048_576;

/** A record of a file whose values have not been checked yet. */
export interface RawRecord {
  number: number;
  /** Null if the line cannot be read. */
  given: Readonly<Record<string, unknown>> | null;
}

/** A file that can be read more than once. */
export interface InputFile {
  /** As the operator named it. */
  name: string;
  path: string;
  bytes: number;
  /** Only for CSV, where lines do not say what kind of record they hold. */
  csvKind: RecordKind | undefined;
}

/** A file cannot be read. The message names it. */
class InputError extends Error {
  override readonly name = 'InputError';
}

/**
 * Finds the files. Standard input, `-`, is first copied to a file, since it could be read only once.
 * @throws InputError
 */
export async function openInputs(
  names: readonly string[],
  { csvKind, stdin }: { csvKind: RecordKind | undefined; stdin: Readable },
): Promise<{ files: InputFile[]; close: () => Promise<void> }> {
  let folder: string | undefined;
  const close = async () => void (folder && (await rm(folder, { recursive: true, force: true })));
  const files: InputFile[] = [];
  try {
    for (const name of names) {
      const isCsv =
        /\.csv(\.gz)?$/i.test(name) || (csvKind !== undefined && !/\.(jsonl|ndjson)(\.gz)?$/i.test(name));
      if (isCsv && csvKind === undefined)
        throw new InputError(`${name} is CSV: say what its records are with --kind job or --kind company`);
      let path = name;
      if (name === '-') {
        if (folder) throw new InputError('Standard input can be named once only.');
        folder = await mkdtemp(join(tmpdir(), 'gateway-import-'));
        path = join(folder, 'input');
        await pipeline(stdin, createWriteStream(path, { mode: 0o600 }));
      }
      const status = await stat(path).catch((cause: Error) => {
        throw new InputError(`${name} cannot be read: ${cause.message}`, { cause });
      });
      if (!status.isFile()) throw new InputError(`${name} is no file.`);
      files.push({ name, path, bytes: status.size, csvKind: isCsv ? csvKind : undefined });
    }
    return { files, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/**
 * The records of a file in their order, some at a time.
 * @param onBytes called with the number of bytes that were read since its last call
 * @throws InputError if the file cannot be read to its end
 */
export async function* readRecords(
  file: InputFile,
  onBytes: (count: number) => void,
): AsyncGenerator<RawRecord[]> {
  const source = createReadStream(file.path, { highWaterMark: chunkBytes });
  source.on('data', (chunk) => onBytes(chunk.length));
  const isZipped = file.name.toLowerCase().endsWith('.gz');
  const plain: Readable = isZipped ? source.pipe(createGunzip({ chunkSize: chunkBytes })) : source;
  if (isZipped) source.once('error', (error) => plain.destroy(error));
  try {
    if (file.csvKind) yield* readCsv(plain, file.csvKind);
    else
      for await (const lines of splitLines(plain as AsyncIterable<Buffer>))
        yield lines.map(({ number, text }) => ({ number, given: text === null ? null : parseObject(text) }));
  } catch (cause) {
    const { message, code } = cause as NodeJS.ErrnoException;
    throw new InputError(
      `${file.name} cannot be read${code?.startsWith('CSV') ? ' as CSV' : ''}: ${message}`,
      { cause },
    );
  } finally {
    source.destroy();
  }
}

function parseObject(text: string): Readonly<Record<string, unknown>> | null {
  const value = parseJson(text);
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : null;
}

async function* readCsv(plain: Readable, kind: RecordKind): AsyncGenerator<RawRecord[]> {
  const parser = plain.pipe(
    parse({ bom: true, info: true, relaxColumnCount: true, maxRecordSize: longestLineBytes }),
  );
  plain.once('error', (error) => parser.destroy(error));
  let head: string[] | undefined;
  let last = 0;
  for await (const { record, info } of parser as AsyncIterable<{
    record: string[];
    info: { lines: number };
  }>) {
    const number = last + 1;
    last = info.lines;
    if (record.every((cell) => cell.trim() === '')) continue;
    if (head) yield [{ number, given: record.length === head.length ? fromCells(head, record, kind) : null }];
    else head = record.map((name) => name.trim());
  }
}

/** An empty cell counts as a key left out. Values that are no texts are written as in JSON. */
function fromCells(
  head: readonly string[],
  cells: readonly string[],
  kind: RecordKind,
): Record<string, unknown> {
  const shapes = operatorFields[kind] as Record<string, { schema: JsonSchema }>;
  return Object.fromEntries(
    cells.flatMap((cell, index) => {
      const name = head[index] ?? '';
      const text = cell.trim();
      if (text === '') return [];
      const isOther = Object.hasOwn(shapes, name) && shapes[name]?.schema.type !== 'string';
      return [[name, isOther && /^(true|false|[[{][^]*)$/.test(text) ? (parseJson(text) ?? text) : text]];
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
