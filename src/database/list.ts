import { type AbstractCursor, type Document } from 'mongodb';
import { type Collection } from 'mongoose';
import { asBytes } from '../paging/reply-budget.js';
import { type Place, type Range, type SortKeys } from '../paging/order.rules.js';
import { type ListRequest, type Reading } from '../paging/page.js';
import { allOf, projectionOf, type Query } from '../paging/query.rules.js';
import { hasChangedAt } from './insert-records.js';
import { type RecordReader } from './record-reader.js';
import { allInOneBatch } from './all-in-one-batch.js';
import { findWithTimeLimit, withTimeLimit, type Searchable } from './with-time-limit.js';

/** How much of a list a page or count looks at. */
export interface ListBounds {
  /** Entries of an index, if it has all fields that the list compares behind it. */
  entries: number;
  /** Records, if not. */
  documents: number;
  /** The time of each query, in ms. The built-in store has no such limit. */
  queryMs: number;
}

export const listBounds: ListBounds = { entries: 5_000, documents: 1_000, queryMs: 300 };

/** The list of one role. */
export interface RoleList {
  /** The fields of the index that serves `within` in the list's order. */
  hint: Record<string, 1>;
  within: Query;
  /** Compared behind the index, entry by entry or record by record. */
  behind: Query;
}

const isEmpty = (query: object): boolean => Object.keys(query).length === 0;

const fieldsIn = (query: Query): string[] =>
  Object.entries(query).flatMap(([field, condition]) =>
    field.startsWith('$') ? (condition as Query[]).flatMap(fieldsIn) : [field],
  );

const isCovered = ({ hint, behind }: RoleList): boolean => fieldsIn(behind).every((field) => field in hint);

/** Matches what any role lists. Some databases find no index for an `$or` of one. */
function anyOf(roles: readonly RoleList[]): Query {
  const [one = {}, ...others] = roles.map(({ within, behind }) => allOf(within, behind));
  return others.length > 0 ? { $or: [one, ...others] } : one;
}

/**
 * A list of one role without a condition behind its index is one `find`. All others look for the keys of a page first: databases sort the
 * entries of several roles, and would search for matches without an end.
 * @param roles at least one
 */
export async function readList<R extends SortKeys>(
  records: Collection<R>,
  roles: readonly RoleList[],
  request: ListRequest,
  { projected: { projection, decode }, bounds }: { projected: RecordReader<R>; bounds: ListBounds },
): Promise<Reading<R>> {
  const { first, order, ranges } = request;
  // Larger than the limit, so that the first reply ends the cursor.
  const common = { ...asBytes, projection, batchSize: first + 2, maxTimeMS: bounds.queryMs };
  type Options = typeof common & { sort: Range['sort']; hint: Record<string, 1>; limit?: number };
  const find = (filter: Query, options: Options) =>
    batchesOf(records, { filter }, options, (bounded) => records.find<Uint8Array>(filter as never, bounded));
  if (request.ids) return { decode, ...readByIds(records, roles, request, common) };
  const [{ within, behind, hint }, ...others] = roles as [RoleList, ...RoleList[]];
  if (others.length === 0 && isEmpty(behind))
    return {
      decode,
      end: null,
      async *read() {
        let limit = first + 1;
        for (const { query, sort } of ranges) {
          const filter = allOf(within, query, hasChangedAt);
          for await (const batch of find(filter, { ...common, sort, limit, hint })) {
            yield batch;
            limit -= batch.length;
          }
          if (limit === 0) return;
        }
      },
    };
  const { found, end } = await request.budget.inTurn(() => search(records, roles, request, bounds));
  const page = { publicId: { $in: found.map(({ publicId }) => publicId) } };
  const filter = allOf(page, anyOf(roles), hasChangedAt);
  // Without the hint, the database tries other indexes first, which takes longer than the read.
  return { decode, end, read: () => find(filter, { ...common, sort: order.sort, hint: { publicId: 1 } }) };
}

/** Reads the next ids: as many as a page can have records, so each page costs what any page costs. */
function readByIds<R extends object>(
  records: Collection<R>,
  roles: readonly RoleList[],
  { ids = [], first }: ListRequest,
  { projection, ...common }: { projection: Document; batchSize: number; maxTimeMS: number },
): Omit<Reading<R>, 'decode'> {
  const page = ids.slice(0, first);
  const filter = allOf({ publicId: { $in: page } }, anyOf(roles), hasChangedAt);
  const place = { $indexOfArray: [{ $literal: page }, '$publicId'] };
  const stages = [{ $match: filter }, { $set: { place } }, { $sort: { place: 1 } }, { $project: projection }];
  const read = () =>
    batchesOf(records, { filter }, { ...common, hint: { publicId: 1 } }, (bounded) =>
      records.aggregate<Uint8Array>(stages, bounded),
    );
  return { read, end: ids.length > first ? page.slice(-1) : null };
}

async function* batchesOf<Options extends { maxTimeMS: number; hint: Document }>(
  records: Searchable,
  compared: { filter: Query },
  options: Options,
  open: (options: Options) => AbstractCursor<Uint8Array>,
): AsyncGenerator<Uint8Array[]> {
  const cursor = await withTimeLimit(records, compared, options, async (bounded) => {
    const opened = open(bounded);
    await opened.hasNext();
    return opened;
  });
  try {
    while (await cursor.hasNext()) yield cursor.readBufferedDocuments();
  } finally {
    await cursor.close();
  }
}

/** The last entry that a search has looked at, and the first one that it has not. */
interface End {
  last: SortKeys;
  next: SortKeys;
}

/** @returns the keys of the page, and the place where the search ended if more follows */
async function search<R extends SortKeys>(
  records: Collection<R>,
  roles: readonly RoleList[],
  { order, first, ranges }: ListRequest,
  { entries, documents, queryMs }: ListBounds,
): Promise<{ found: SortKeys[]; end: Place | null }> {
  const { compare, placeAfter } = order;
  const keys = Object.keys(order.sort);
  const found: SortKeys[] = [];
  let most = Math.floor((roles.every(isCovered) ? entries : documents) / roles.length);
  for (const range of ranges) {
    const looks = [];
    for (const role of roles)
      looks.push(await look(records, role, range, { keys, most, wanted: first + 1 - found.length, queryMs }));
    const ends = looks.flatMap(({ end }) => end ?? []);
    const [ended] = ends.sort((one, other) => compare(one.last, other.last));
    const all = new Map(looks.flatMap((each) => each.found.map((one) => [one.publicId, one] as const)));
    const sorted = [...all.values()].sort(compare);
    const isLooked = (each: SortKeys) => !ended || compare(each, ended.last) <= 0;
    found.push(...sorted.filter(isLooked));
    const [last, next] = found.slice(first - 1);
    if (last && next) return { found: found.slice(0, first), end: placeAfter(last, next) };
    if (ended) {
      const beyond = [...ends.map((end) => end.next), ...sorted]
        .filter((each) => !isLooked(each))
        .sort(compare);
      return { found, end: placeAfter(ended.last, beyond[0]) };
    }
    most = Math.max(1, most - Math.max(...looks.map(({ looked }) => looked)));
  }
  return { found, end: null };
}

/** @returns at most `wanted` matches of one role within a range, or fewer and the end if the range has more than `most` entries */
async function look<R extends object>(
  records: Collection<R>,
  role: RoleList,
  { query, sort }: Range,
  { keys, most, wanted, queryMs }: { keys: string[]; most: number; wanted: number; queryMs: number },
): Promise<{ found: SortKeys[]; looked: number; end?: End }> {
  const { hint, behind } = role;
  const options = { hint, maxTimeMS: queryMs };
  const within = allOf(role.within, query);
  const page = { ...options, ...allInOneBatch, projection: projectionOf(keys), sort };
  if (isEmpty(behind))
    return { found: await findWithTimeLimit(records, within, { ...page, limit: wanted }), looked: 0 };
  const stages = [
    ...[
      { $match: within },
      { $sort: sort },
      { $limit: most },
      { $project: projectionOf(keys, fieldsIn(behind)) },
    ],
    ...[{ $match: behind }, { $limit: wanted }, { $project: page.projection }],
  ];
  const found = await withTimeLimit(records, { pipeline: stages }, options, (bounded) =>
    records.aggregate<SortKeys>(stages, { ...allInOneBatch, ...bounded }).toArray(),
  );
  if (found.length === wanted) return { found, looked: most };
  const [last, next] = await findWithTimeLimit<SortKeys>(records, within, {
    ...page,
    skip: most - 1,
    limit: 2,
  });
  if (last && next) return { found, looked: most, end: { last, next } };
  return { found, looked: await countInTime(records, within, { ...options, limit: most }) };
}

const countInTime = <R extends object>(
  records: Collection<R>,
  filter: Query,
  options: { hint?: Document; limit: number; maxTimeMS: number },
): Promise<number> =>
  withTimeLimit(records, { filter }, options, (bounded) => records.countDocuments(filter as never, bounded));

/** Counts a list's records. @returns at most `limit`; null if the list exceeds the bounds */
export async function countList<R extends object>(
  records: Collection<R>,
  roles: readonly RoleList[],
  { limit, bounds }: { limit: number; bounds: ListBounds },
): Promise<number | null> {
  const [one, ...others] = roles;
  const options = { maxTimeMS: bounds.queryMs, ...(others.length === 0 && one && { hint: one.hint }) };
  if (!roles.every(({ behind }) => isEmpty(behind))) {
    // For several roles, the database chooses the indexes itself, some without the fields, and reads a record again for each role.
    const isFromKeys = others.length === 0 && roles.every(isCovered);
    const most = isFromKeys ? limit : Math.floor(bounds.documents / roles.length);
    const looked = anyOf(roles.map((role) => ({ ...role, behind: {} })));
    if ((await countInTime(records, looked, { ...options, limit: most + 1 })) > most) return null;
  }
  return countInTime(records, anyOf(roles), { ...options, limit });
}
