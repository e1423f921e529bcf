import { type Origin } from '../../history/history-entry.js';
import { type Step, type Versioned } from '../../history/versioned-records.js';
import { type LogoImage } from '../../company/logo/logo-image.js';
import { type LogoStore } from '../../company/logo/logo-store.js';
import { type Models } from '../../database/models.js';
import { type Warning } from '../../content/warning.js';
import { type Location } from '../../job/location/location.js';
import { type Line, type LineFault } from '../read-line.js';
import { type RecordKind } from '../record-format.js';
import { type Arriving } from './arriving.js';

/** What an import works with. */
export interface ImportContext {
  models: Models;
  logos: LogoStore;
  resolveLocation: (localisation: string) => { location: Location; isResolved: boolean };
  now: () => Date;
  lifetimeMs: number;
  /** Who imports: what the history says of each change. */
  origin: Origin;
  /** What the file itself brings, for as long as nothing is written; else null. */
  arriving: Arriving | null;
  /** Whether some line of the files has this kind and these ids. */
  hasLine: (kind: RecordKind, ...ids: string[]) => boolean;
  /** Whether an earlier reading of the same lines has decoded their logos already. */
  areLogosChecked: boolean;
}

/** What is to become of one line. Without `insert`, `versions` and `set` it changes nothing. */
export interface Plan<Kind extends RecordKind = RecordKind> {
  line: Line<Kind>;
  faults: LineFault[];
  warnings: Warning[];
  /** A new record, whole. */
  insert?: { _id: unknown };
  /** The versions of a record that has a history. */
  versions?: { record: Versioned; steps: readonly Step[] };
  /** The new values of a record that has none. */
  set?: { id: unknown; values: Record<string, unknown> };
  /** A file that the record is to point at. */
  logo?: LogoImage;
}

/** Looks a batch of lines up and says what is to become of each. */
export type Planner<Kind extends RecordKind> = (
  lines: readonly Line<Kind>[],
  context: ImportContext,
) => Promise<Plan<Kind>[]>;

export const isChange = ({ versions, set }: Plan): boolean => Boolean(versions ?? set);
