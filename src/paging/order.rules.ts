import { type Query } from './query.rules.js';

/** The fields that a list can be sorted by. */
export interface SortKeys extends Partial<Record<InstantPath, Date | null>> {
  publicId: string;
}
type InstantPath = 'changedAt' | 'publishedAt';

/** Consecutive entries of an index. */
export interface Range {
  query: Query;
  sort: Record<string, 1 | -1>;
}

/** A place in a list, as a cursor has it besides the list's order. */
export type Place = readonly unknown[];

export interface Order {
  sort: Record<string, 1 | -1>;
  /** Compares as the database sorts. */
  compare: (one: SortKeys, other: SortKeys) => number;
  /** The place after a record. @param next the record that follows it, if one is known */
  placeAfter: (record: SortKeys, next?: SortKeys) => Place;
  /**
   * The ranges that follow a place, in order; of the whole list by default. Undefined if the place belongs to another order.
   */
  rangesAfter: (place?: Place) => Range[] | undefined;
}

const anyText = { publicId: { $gte: '' } };
const isText = (value: unknown): value is string => typeof value === 'string';

/** Databases compare texts as UTF-8. */
const comparePublicIds = (one: SortKeys, other: SortKeys): number =>
  Buffer.compare(Buffer.from(one.publicId), Buffer.from(other.publicId));

const byPublicId: Order = {
  sort: { publicId: 1 },
  compare: comparePublicIds,
  placeAfter: ({ publicId }) => [publicId],
  rangesAfter(place) {
    const [publicId, ...others] = place ?? [];
    if (place && (!isText(publicId) || others.length > 0)) return undefined;
    return [{ query: place ? { publicId: { $gt: publicId } } : anyText, sort: { publicId: 1 } }];
  },
};

const latestMs = 8.64e15;
const isInstant = (ms: unknown): ms is number => Number.isInteger(ms) && Math.abs(ms as number) <= latestMs;

/**
 * Latest first. A place after the last record of an instant has no public id: then one range follows, and not also the rest of the instant.
 * @param canBeNull records without an instant come last
 */
function latestFirst(path: InstantPath, { canBeNull }: { canBeNull: boolean }): Order {
  const sort = { [path]: -1, publicId: -1 } as const;
  const msOf = ({ [path]: instant }: SortKeys) => (instant instanceof Date ? instant.getTime() : null);
  const rank = (record: SortKeys) => msOf(record) ?? -Infinity;
  const before = (ms: number): Range => ({ query: { [path]: { $lt: new Date(ms) }, ...anyText }, sort });
  /** Databases merge the states of an instant only if the sort leaves out what they share. */
  const restOf = (ms: number | null, publicId?: string): Range => ({
    query: {
      [path]: ms === null ? null : new Date(ms),
      publicId: { ...anyText.publicId, ...(publicId !== undefined && { $lt: publicId }) },
    },
    sort: { publicId: -1 },
  });
  const nulls = canBeNull ? [restOf(null)] : [];
  return {
    sort,
    compare: (one, other) =>
      rank(other) === rank(one) ? comparePublicIds(other, one) : rank(other) - rank(one),
    placeAfter: (record, next) =>
      next && msOf(next) !== msOf(record) ? [msOf(record)] : [msOf(record), record.publicId],
    rangesAfter([ms, publicId, ...others] = [latestMs]) {
      const isKnown = isInstant(ms) || (ms === null && isText(publicId));
      if (!isKnown || !(publicId === undefined || isText(publicId)) || others.length > 0) return undefined;
      if (ms === null) return [restOf(null, publicId)];
      return [...(publicId === undefined ? [] : [restOf(ms, publicId)]), before(ms), ...nulls];
    },
  };
}

export const orders = {
  public_id: byPublicId,
  updated_at_desc: latestFirst('changedAt', { canBeNull: false }),
  published_at_desc: latestFirst('publishedAt', { canBeNull: true }),
} as const satisfies Record<string, Order>;

export type ListSort = keyof typeof orders;
