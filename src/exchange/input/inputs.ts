import { Gathered } from '../../text/gather.js';
import { KeySet } from './key-set.js';
import { fault, type Line, type LineFault, readLine } from '../read-line.js';
import { identifying, type RecordKind, recordKinds } from '../line-format.js';
import { type InputFile, type RawRecord, readRecords } from './input-file.js';

/** A line that is rejected before its fields are read. */
interface RefusedLine {
  file: string;
  number: number;
  fault: LineFault;
}

/** Bytes need a limit too: a logo can have several megabytes, and a job 100 000 characters. */
const batchLines = 1_000;
const batchBytes = 4_000_000;

/** A line's kind is noted as an index in this list. Exports can contain history lines; imports skip them. */
const noted = [...recordKinds, 'history', 'refused'] as const;
type Noted = (typeof noted)[number];

/**
 * The first pass notes each line's kind in one byte. Each later pass is for one kind: it parses all lines again, but checks only the
 * fields of lines of this kind.
 */
export class Inputs {
  private readonly kinds = new Gathered();
  private readonly seen = new KeySet();

  constructor(private readonly files: readonly InputFile[]) {}

  get totalBytes(): number {
    return this.files.reduce((sum, { bytes }) => sum + bytes, 0);
  }

  countOf(kind: Noted): number {
    const code = noted.indexOf(kind);
    return this.kinds.bytes.reduce((count, each) => count + Number(each === code), 0);
  }

  /** Yields the rejected lines. @throws Error if a file cannot be read */
  async *index(onBytes: (count: number) => void): AsyncGenerator<RefusedLine> {
    for await (const { file, records } of this.readAll(onBytes)) {
      for (const record of records) {
        const kind = kindOf(file, record);
        const found = typeof kind === 'object' ? kind : doubleFault(kind, record, this.seen);
        if (found) yield { file: file.name, number: record.number, fault: found };
        this.kinds.add(Buffer.of(noted.indexOf(found || typeof kind === 'object' ? 'refused' : kind)));
      }
    }
  }

  /** Yields accepted lines in batches; all references come in one batch. @throws Error if a file cannot be read */
  async *lines<Kind extends RecordKind>(kind: Kind): AsyncGenerator<Line<Kind>[]> {
    const code = noted.indexOf(kind);
    const kinds = this.kinds.bytes;
    const last = kinds.lastIndexOf(code);
    let place = 0;
    let batch: Line<Kind>[] = [];
    let bytes = 0;
    for await (const { file, records } of this.readAll()) {
      for (const record of records) {
        if (kinds[place++] !== code || !record.given) continue;
        batch.push(readLine(kind, record.given, { file: file.name, number: record.number }));
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

  private async *readAll(
    onBytes: (count: number) => void = () => undefined,
  ): AsyncGenerator<{ file: InputFile; records: RawRecord[] }> {
    for (const file of this.files)
      for await (const records of readRecords(file, onBytes)) yield { file, records };
  }
}

function kindOf({ csvKind }: InputFile, record: RawRecord): RecordKind | 'history' | LineFault {
  const { given } = record;
  if (!given) return { field: 'body', code: 'body-format-error', message: record.problem };
  if (csvKind)
    return given.kind === undefined || given.kind === csvKind
      ? csvKind
      : fault.mustBe('kind', `${csvKind}, as --kind says`);
  if (given.kind === 'history') return 'history';
  const expected = `one of ${recordKinds.join(', ')}`;
  if (given.kind === undefined)
    return { ...fault.missing('kind'), message: `kind is required: ${expected}.` };
  return recordKinds.find((kind) => kind === given.kind) ?? fault.mustBe('kind', expected);
}

/** At every import, two lines for the same record would overwrite each other. */
function doubleFault(kind: RecordKind | 'history', { given }: RawRecord, seen: KeySet): LineFault | null {
  if (kind === 'history') return null;
  const ids = identifying[kind].map((key) => given?.[key]);
  if (!ids.every((id) => typeof id === 'string')) return null;
  return seen.add([kind, ...ids.map((id) => id.trim())].join(' '))
    ? null
    : fault.mustBe('public_id', 'unique in the files: an earlier line has it');
}
