import { type Patch, patched, type FieldChange } from '../fields/fields.rules.js';
import { type KeyedCall, madeCall } from '../idempotency/keyed-call.js';
import { type Step, type Versioned } from './history-entry.js';

/**
 * Small entries move to the history collection every 32 versions, large entries at once. A move costs more than an update, but each entry
 * left in the record slows later writes.
 */
const moveEveryVersions = 32;
/** In UTF-16 units of an entry's values. */
const largeUnits = 8_192;
/**
 * A record can hold this many entries if moves fail. A small entry takes up to 25 kB. The largest entry takes 10.7 MB: an import replaces
 * a thousand offices and memberships. The rest of its record takes 5.4 MB of the 16.8 MB of a document, so the largest entry must be
 * alone in its record.
 */
const mostPending = 64;
/** A call is repeated within seconds, so few others come in between. */
const mostKeyedCalls = 16;

/** GraphQL integers have 32 bits. */
export const mostVersion = 2 ** 31 - 1;

const isEndOfSpan = (version: number, steps: number): boolean =>
  Math.floor((version + steps) / moveEveryVersions) > Math.floor(version / moveEveryVersions);

const unitsOf = (changes: readonly FieldChange[]): number =>
  changes.reduce((sum, { before, after }) => sum + valueUnits(before) + valueUnits(after), 0);

/** Objects and lists count as JSON: an import may give a company a thousand offices. */
const valueUnits = (value: unknown): number => {
  if (typeof value === 'string') return value.length;
  return value && typeof value === 'object' ? JSON.stringify(value).length : 0;
};

export const recordAfter = <R extends Versioned>(record: R, steps: readonly Step[]): R =>
  patched(record, valuesAfter(record, steps));

function valuesAfter({ version }: Versioned, steps: readonly Step[]): Patch {
  const last = steps.at(-1);
  const values: Patch = { version: version + steps.length, ...(last && { updatedAt: last.at }) };
  for (const { changes, derived, internal } of steps) {
    for (const { field, after } of changes) values[field] = after;
    Object.assign(values, derived, internal);
  }
  return values;
}

/**
 * Builds the command that writes the steps if the record still has the version of `record`.
 *
 * If an entry `isLarge`, entries must move to the history collection before the write: together with another large entry, left by a process
 * that died, the document would exceed its limit, and every retry would fail.
 */
export function writeOf(record: Versioned, steps: readonly Step[], call?: KeyedCall) {
  const { publicId, version } = record;
  const entries = steps.map(({ at, origin, changes }, index) => ({
    version: version + index + 1,
    at,
    ...origin,
    changes,
  }));
  const made = call && [madeCall(call, version + steps.length)];
  const values = Object.entries(valuesAfter(record, steps));
  const removed = new Set(
    steps.flatMap(({ derived = {} }) => Object.keys(derived).filter((key) => derived[key] === null)),
  );
  const isLarge = steps.some(({ changes }) => unitsOf(changes) > largeUnits);
  return {
    filter: { publicId, version, [`pendingHistory.${mostPending - steps.length}`]: { $exists: false } },
    update: {
      $set: Object.fromEntries(values.filter(([path]) => !removed.has(path))),
      ...(removed.size > 0 && { $unset: Object.fromEntries([...removed].map((key) => [key, '' as const])) }),
      $currentDate: { changedAt: true as const },
      $push: {
        pendingHistory: { $each: entries },
        ...(made && { keyedCalls: { $each: made, $slice: -mostKeyedCalls } }),
      },
    },
    isLarge,
    isMoveDueAfter: isLarge || isEndOfSpan(version, steps.length),
  };
}
