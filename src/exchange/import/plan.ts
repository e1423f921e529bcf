import { type Model, Types } from 'mongoose';
import { type Origin, type Step, type Versioned } from '../../history/history-entry.js';
import { withoutHistory } from '../../history/versioned-records.js';
import { type Office } from '../../company/company.record.js';
import { type LogoImage } from '../../company/logo/logo-image.js';
import { type LogoStore } from '../../company/logo/logo-store.js';
import { type Inserting } from '../../database/insert-records.js';
import { recordReader } from '../../database/record-reader.js';
import { allMediaIn } from '../../media/media.record.js';
import { type Models } from '../../models.js';
import { type Query } from '../../paging/query.rules.js';
import { type Warning } from '../../fields/warning.js';
import { type ResolveLocation } from '../../job/location/location.js';
import { ReferenceSnapshot, type ReferenceRecord } from '../../fields/reference-snapshot.js';
import { type Settings } from '../../settings/settings.js';
import { type Line } from '../read-line.js';
import { type RecordKind } from '../line-format.js';

/** Records from valid lines: other lines can refer to them before they are written. */
export class Arriving {
  readonly media = new Set<string>();
  readonly references: ReferenceRecord[] = [];
  readonly companies = new Set<string>();
  readonly offices = new Map<string, readonly Office[]>();
}

export interface ImportContext {
  models: Models;
  logos: LogoStore;
  resolveLocation: ResolveLocation;
  now: () => Date;
  settings: Settings;
  origin: Origin;
  /** Null in a writing pass: the database has the records by then. */
  arriving: Arriving | null;
  /** The name, domain and id of each valid company line, also of a batch that is not yet written: a later line must not have them. */
  identities: Set<string>;
  /** An earlier pass has checked the lines, decoded their logos and reported their warnings. */
  isSecondPass: boolean;
}

/** What to write for a line without faults. Without `insert`, `versions` and `set`, the line changes nothing. */
export interface Plan<Kind extends RecordKind = RecordKind> {
  line: Line<Kind>;
  warnings: Warning[];
  insert?: Inserting;
  /** For a record with history. */
  versions?: { record: Versioned; steps: readonly Step[]; condition?: Query };
  /** For a record without history. */
  set?: { id: unknown; values: Record<string, unknown> };
  logo?: LogoImage;
}

/** Adds faults to the lines. All lines of kind `reference` must be in one batch. */
export type Planner<Kind extends RecordKind> = (
  lines: readonly Line<Kind>[],
  context: ImportContext,
) => Promise<Plan<Kind>[]>;

/** @param blank the defaults of what a record may lack */
export async function readStored<R extends { publicId: string }>(
  model: Model<R>,
  lines: readonly { own: { public_id?: string } }[],
  blank: object = {},
): Promise<ReadonlyMap<string, R>> {
  const { complete } = recordReader<R>(blank, withoutHistory);
  const ids = lines.flatMap(({ own }) => own.public_id ?? []);
  const stored = await model.find({ publicId: { $in: ids } }, withoutHistory).lean<R[]>();
  return new Map(stored.map((record) => [record.publicId, complete(record)]));
}

/** Includes records that the files add. */
export interface KnownRecords {
  snapshot: ReferenceSnapshot;
  /** Public ids. */
  media: ReadonlySet<string>;
}

export async function readKnown({ models, arriving }: ImportContext): Promise<KnownRecords> {
  const [references, media] = await Promise.all([
    models.references.find().lean<ReferenceRecord[]>(),
    allMediaIn(models.media),
  ]);
  return {
    snapshot: new ReferenceSnapshot([...references, ...(arriving?.references ?? [])]),
    media: new Set([...media, ...(arriving?.media ?? [])]),
  };
}

/** Gives each element without an id the id of the stored element with the same key if that id is free, or else a new id. */
export function withStoredIds<
  Key extends string,
  Element extends Record<Key, string> & { _id?: Types.ObjectId },
>(
  elements: readonly Element[],
  stored: readonly (Record<Key, string> & { _id: Types.ObjectId })[],
  key: Key,
): (Element & { _id: Types.ObjectId })[] {
  const ids = new Map<string, Types.ObjectId>(stored.map((element) => [element[key], element._id]));
  // An import rejects a list in which two elements have the same id.
  const taken = new Set(elements.map(({ _id }) => String(_id)));
  return elements.map((element) => {
    const kept = ids.get(element[key]);
    const free = kept && !taken.has(String(kept)) ? kept : new Types.ObjectId();
    const _id = element._id ?? free;
    taken.add(String(_id));
    return { _id, ...element };
  });
}
