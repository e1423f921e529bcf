import { fault, type Line, type LineFault, readLine } from '../read-line.js';
import { neededKeys, type RecordKind, recordKinds } from '../line-format.js';
import { type InputFile, type RawRecord, readRecords } from './input-file.js';

/** Bytes need a limit too: a logo can have several megabytes, and a job 100 000 characters. */
const batchLines = 1_000;
const batchBytes = 4_000_000;

/** Exports can contain history lines; imports skip them. */
type Noted = RecordKind | 'history' | 'refused';

/** The first pass notes each line's kind. Each later pass, for one kind, parses all lines but checks only the lines of its kind. */
export class Inputs {
  private readonly kinds: Noted[] = [];
  private readonly seen = new Set<string>();

  constructor(private readonly files: readonly InputFile[]) {}

  get totalBytes(): number {
    return this.files.reduce((sum, { bytes }) => sum + bytes, 0);
  }

  countOf(kind: Noted): number {
    return this.kinds.filter((each) => each === kind).length;
  }

  /** Yields the lines that are rejected before their fields are read. @throws Error if a file cannot be read */
  async *index(onBytes: (count: number) => void) {
    for await (const { file, records } of this.readAll(onBytes)) {
      for (const record of records) {
        const kind = kindOf(file, record);
        const found = typeof kind === 'object' ? kind : doubleFault(kind, record, this.seen);
        if (found) yield { file: file.name, number: record.number, fault: found };
        this.kinds.push(found || typeof kind === 'object' ? 'refused' : kind);
      }
    }
  }

  /** Yields accepted lines in batches; all references come in one batch. @throws Error if a file cannot be read */
  async *lines<Kind extends RecordKind>(kind: Kind): AsyncGenerator<Line<Kind>[]> {
    const last = this.kinds.lastIndexOf(kind);
    let place = 0;
    let batch: Line<Kind>[] = [];
    let bytes = 0;
    for await (const { file, records } of this.readAll()) {
      for (const record of records) {
        if (this.kinds[place++] !== kind || !record.values) continue;
        batch.push(readLine(kind, record.values, { file: file.name, number: record.number }));
        bytes += record.length;
        if (kind === 'reference' || (batch.length < batchLines && bytes < batchBytes)) continue;
        yield batch;
        batch = [];
        bytes = 0;
      }
      if (place > last) break;
    }
    if (batch.length > 0) yield batch;
  }

  private async *readAll(onBytes: (count: number) => void = () => undefined) {
    for (const file of this.files)
      for await (const records of readRecords(file, onBytes)) yield { file, records };
  }
}

function kindOf({ csvKind }: InputFile, record: RawRecord): RecordKind | 'history' | LineFault {
  const { values: line } = record;
  if (!line) return { field: 'body', code: 'body-format-error', message: record.problem };
  if (csvKind)
    return line.kind === undefined || line.kind === csvKind
      ? csvKind
      : fault.mustBe('kind', `${csvKind}, as --kind says`);
  if (line.kind === 'history') return 'history';
  const expected = `one of ${recordKinds.join(', ')}`;
  if (line.kind === undefined) return { ...fault.missing('kind'), message: `kind is required: ${expected}.` };
  return recordKinds.find((kind) => kind === line.kind) ?? fault.mustBe('kind', expected);
}

/** At every import, two lines for the same record would overwrite each other. */
function doubleFault(kind: RecordKind | 'history', { values: line }: RawRecord, seen: Set<string>) {
  if (kind === 'history') return null;
  const ids = neededKeys[kind].always.map((key) => line?.[key]);
  if (!ids.every((id) => typeof id === 'string')) return null;
  const key = [kind, ...ids.map((id) => id.trim())].join(' ');
  if (seen.has(key)) return fault.mustBe('public_id', 'unique in the files: an earlier line has it');
  seen.add(key);
  return null;
}
