import { type Patch, patched, type FieldChange } from '../content/fields.rules.js';
import { type KeyedCall, type Origin, type Versioned } from './history-entry.js';

/** The changes that make one version. */
export interface Step {
  at: Date;
  origin: Origin;
  changes: FieldChange[];
  /** Fields that change too but are not part of the history: the keys for comparison. */
  derived?: Record<string, unknown>;
}

/**
 * Entries move to the history collection whenever so many versions have been made; a large entry moves at once. A move costs
 * more than an update does, but every entry that stays makes all later writes of the record longer.
 */
const moveEveryVersions = 32;
/** An entry is large if its values have more UTF-16 units than this. */
const largeUnits = 8_192;
/**
 * How many entries a record may hold when their moves fail. A small one takes 25 kB. A large one, of an import that replaces
 * a thousand offices and memberships, takes 10.7 MB and its record 5.4 MB. A document may have 16.8 MB, so that an entry of
 * that size must be the only one.
 */
const mostPending = 64;

/** GraphQL shows versions as integers of 32 bits. */
const mostVersion = 2 ** 31 - 1;

/**
 * To be called before a write: the database would make the version "x1" of "x" (Contract 9.1.4).
 * @throws Error that names a record whose version something else has damaged
 */
export function assertVersioned({ publicId, version }: Pick<Versioned, 'publicId' | 'version'>): void {
  if (!Number.isInteger(version) || version < 1 || version >= mostVersion)
    throw new Error(`${publicId} is damaged: its version is no whole number that can be raised`);
}

const isEndOfSpan = (version: number, steps: number): boolean =>
  Math.floor((version + steps) / moveEveryVersions) > Math.floor(version / moveEveryVersions);

const unitsOf = (changes: readonly FieldChange[]): number =>
  changes.reduce((sum, { before, after }) => sum + valueUnits(before) + valueUnits(after), 0);

/** Lists count as JSON: an import may give a company a thousand offices. Numbers and booleans are short. */
const valueUnits = (value: unknown): number => {
  if (typeof value === 'string') return value.length;
  return value && typeof value === 'object' ? JSON.stringify(value).length : 0;
};

/** The record as the steps leave it. */
export const recordAfter = <R extends Versioned>(record: R, steps: readonly Step[]): R =>
  patched(record, valuesAfter(record, steps));

/** The values that the steps change, by path. */
function valuesAfter({ version }: Versioned, steps: readonly Step[]): Patch {
  const last = steps.at(-1);
  const values: Patch = { version: version + steps.length, ...(last && { updatedAt: last.at }) };
  for (const { changes, derived } of steps) {
    for (const { field, after } of changes) values[field] = after;
    Object.assign(values, derived);
  }
  return values;
}

/**
 * The command that writes the steps if the record still has this version. The last step's entry names the call. `isMoveDueBefore`
 * says whether the entries that the record carries must move to the history first. A large entry needs the room: beside another
 * that stayed when a process died, the record would be larger than a document may be, at each attempt. And a repeated call looks
 * for its record by the keys of comparison: after a change of these it would find another record or none, so the calls must be in
 * the history, which is searched by the call itself.
 */
export function writeOf(record: Versioned, steps: readonly Step[], call?: KeyedCall) {
  const { _id, version } = record;
  const entries = steps.map(({ at, origin, changes }, index) => ({
    version: version + index + 1,
    at,
    ...origin,
    changes,
    ...(call && index === steps.length - 1 && { call: call.digest }),
  }));
  const isLarge = steps.some(({ changes }) => unitsOf(changes) > largeUnits);
  return {
    filter: { _id, version, [`pendingHistory.${mostPending - steps.length}`]: { $exists: false } },
    update: {
      $set: valuesAfter(record, steps),
      $currentDate: { changedAt: true as const },
      $push: { pendingHistory: { $each: entries } },
    },
    isMoveDueBefore: isLarge || steps.some(({ derived = {} }) => Object.keys(derived).length > 0),
    isMoveDueAfter: isLarge || isEndOfSpan(version, steps.length),
  };
}
