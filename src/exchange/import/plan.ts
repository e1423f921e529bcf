import { type Model, type Types } from 'mongoose';
import { type Origin, type Versioned } from '../../history/history-entry.js';
import { type Step } from '../../history/version-write.rules.js';
import { withoutHistory } from '../../history/versioned-records.js';
import { type Office } from '../../company/company.model.js';
import { type LogoImage } from '../../company/logo/logo-image.js';
import { type LogoStore } from '../../company/logo/logo-store.js';
import { type Models } from '../../models.js';
import { type Warning } from '../../content/warning.js';
import { type ResolveLocation } from '../../job/location/location.js';
import { ReferenceBook, type ReferenceRecord } from '../../content/reference-book.js';
import { type Line } from '../read-line.js';
import { type RecordKind } from '../line-format.js';
import { KeySet } from '../input/key-set.js';

/** What good lines bring, for lines that refer to it before it is written. Only companies with offices take many bytes. */
export class Arriving {
  readonly media = new Set<string>();
  readonly references: ReferenceRecord[] = [];
  readonly companies = new KeySet();
  readonly offices = new Map<string, readonly Office[]>();
}

/** What an import works with. */
export interface ImportContext {
  models: Models;
  logos: LogoStore;
  resolveLocation: ResolveLocation;
  now: () => Date;
  lifetimeMs: number;
  /** The bound of an upload. */
  logoMaxBytes: number;
  /** What the history says about who made each change. */
  origin: Origin;
  /** What the files themselves bring; null once lines are written, since the database has it then. */
  arriving: Arriving | null;
  /**
   * Names, domains and ids of companies that good lines bring, each with a prefix that says which. None of them may come twice,
   * also while lines are written: the database has none of a batch before it has the whole.
   */
  identities: KeySet;
  /** Whether an earlier pass has checked these lines: their logos have been decoded, and their warnings told. */
  isSecondPass: boolean;
}

/** What will be done with one line, unless it has faults. Without `insert`, `versions` and `set`, it changes nothing. */
export interface Plan<Kind extends RecordKind = RecordKind> {
  line: Line<Kind>;
  warnings: Warning[];
  /** A new record, whole. */
  insert?: { _id: Types.ObjectId };
  /** The versions of a record that has a history. */
  versions?: { record: Versioned; steps: readonly Step[] };
  /** The new values of a record that has none. */
  set?: { id: unknown; values: Record<string, unknown> };
  /** The file that the record will point at. */
  logo?: LogoImage;
}

/** Plans what is done with each line of a batch, or of all lines at once for references, and adds the faults to the line. */
export type Planner<Kind extends RecordKind> = (
  lines: readonly Line<Kind>[],
  context: ImportContext,
) => Promise<Plan<Kind>[]>;

/** The stored records that lines name, by public id. */
export async function readStored<R extends { publicId: string }>(
  model: Model<R>,
  lines: readonly { own: { public_id?: string } }[],
): Promise<ReadonlyMap<string, R>> {
  const ids = lines.flatMap(({ own }) => own.public_id ?? []);
  const stored = await model.find({ publicId: { $in: ids } }, withoutHistory).lean<R[]>();
  return new Map(stored.map((record) => [record.publicId, record]));
}

/** What companies and jobs may refer to, what the files bring included. */
export interface Known {
  book: ReferenceBook;
  /** The public ids of all media. */
  media: ReadonlySet<string>;
}

/** Reads what companies and jobs may refer to. */
export async function readKnown({ models, arriving }: ImportContext): Promise<Known> {
  const [references, media] = await Promise.all([
    models.references.find().lean<ReferenceRecord[]>(),
    models.media.find({}, { publicId: 1 }).lean(),
  ]);
  return {
    book: new ReferenceBook([...references, ...(arriving?.references ?? [])]),
    media: new Set([...media.map(({ publicId }) => publicId), ...(arriving?.media ?? [])]),
  };
}
