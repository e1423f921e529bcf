import { type Document, type FindOptions } from 'mongodb';
import { type Collection } from 'mongoose';
import { asBytes } from '../paging/answer-budget.js';
import { type SortKeys, type PageRequest, type Reading } from '../paging/page.js';
import { allOf, projectionOf, type Query } from '../paging/query.rules.js';
import { singleBatch } from './single-batch.js';
import { hasChangedAt } from './insert-absent.js';
import { type ListPlan } from './list-plan.js';
import { type Projected } from './projected.js';
import { findInTime, inTime } from './slow-query.js';

/** How much of a list a page or count looks at (Contract 4.4.15). The database examines each entry or record at most twice. */
export interface ListBounds {
  /** Entries of an index, if it has all fields that the list compares. */
  entries: number;
  /** Records, if not. */
  documents: number;
  /** The time of each query, in ms. The built-in store has no such limit. */
  queryMs: number;
}

export const listBounds: ListBounds = { entries: 5_000, documents: 1_000, queryMs: 300 };

/** How many entries a page looks at first, for each record that it needs, and by how much each further look is larger. */
const [firstLook, growth] = [4, 8];

const isEmpty = (query: object): boolean => Object.keys(query).length === 0;

const onlyFields = (fields: readonly string[]): Document => ({ _id: 0, ...projectionOf(fields) });

/** Reads the records of a page. @param plans one for each role of the reach */
export async function readList<R extends SortKeys>(
  records: Collection<R>,
  plans: readonly ListPlan[],
  request: PageRequest,
  { projected: { projection, decode }, bounds }: { projected: Projected<R>; bounds: ListBounds },
): Promise<Reading<R>> {
  const { order, first, query } = request;
  // Larger than the limit, so that the first reply ends the cursor.
  const common = {
    ...asBytes,
    projection,
    sort: order.sort,
    batchSize: first + 2,
    maxTimeMS: bounds.queryMs,
  };
  const read =
    (filter: Document, options: typeof common & Pick<FindOptions, 'limit'> & ListPlan['hint']) => () =>
      inTime(records, { filter }, options, (bounded) =>
        begun(records.find<Uint8Array>(filter as never, bounded)),
      );
  const [plan, ...others] = plans as [ListPlan, ...ListPlan[]];
  const within = { $or: plans.map((each) => allOf(each.bounds, each.rest)) };
  if (request.ids) return { decode, ...readByIds(records, within, request, common) };
  if (isEmpty(plan.rest) && others.length === 0) {
    const wanted = allOf(plan.bounds, hasChangedAt, query);
    return { decode, read: read(wanted, { ...common, limit: first + 1, ...plan.hint }), last: null };
  }
  const { found, last } = await request.budget.inTurn(() => searchRoles(records, plans, request, bounds));
  const page = { publicId: { $in: found.slice(0, first).map(({ publicId }) => publicId) } };
  const wanted = allOf(page, within, hasChangedAt);
  return {
    decode,
    // Without the hint, the database tries other indexes first, which takes longer than the read.
    read: read(wanted, { ...common, hint: { publicId: 1 } }),
    last: found[first] ? (found[first - 1] ?? null) : last,
  };
}

/** A page looks at as many ids as it can have records, so it costs what any page costs. */
function readByIds<R extends SortKeys>(
  records: Collection<R>,
  within: Document,
  { ids = [], first }: PageRequest,
  { projection, batchSize, maxTimeMS }: { projection: Document; batchSize: number; maxTimeMS: number },
): Omit<Reading<R>, 'decode'> {
  const page = ids.slice(0, first);
  const filter = allOf({ publicId: { $in: page } }, within, hasChangedAt);
  const place = { $indexOfArray: [{ $literal: page }, '$publicId'] };
  const stages = [{ $match: filter }, { $set: { place } }, { $sort: { place: 1 } }, { $project: projection }];
  const options = { ...asBytes, batchSize, hint: { publicId: 1 }, maxTimeMS };
  const read = () =>
    inTime(records, { filter }, options, (bounded) => begun(records.aggregate<Uint8Array>(stages, bounded)));
  return { read, last: ids.length > first ? { publicId: page.at(-1)! } : null };
}

/** Waits for the first reply. */
async function begun<Cursor extends { hasNext(): Promise<unknown> }>(cursor: Cursor): Promise<Cursor> {
  await cursor.hasNext();
  return cursor;
}

/** Merges what each role finds, as far as all of them have looked. */
async function searchRoles<R extends SortKeys>(
  records: Collection<R>,
  plans: readonly ListPlan[],
  request: PageRequest,
  { entries, documents, queryMs }: ListBounds,
): Promise<{ found: SortKeys[]; last: SortKeys | null }> {
  const share = (most: number) => Math.ceil(most / plans.length);
  const bounds = { entries: share(entries), documents: share(documents), queryMs };
  const looked = [];
  for (const plan of plans) looked.push(await search(records, plan, request, bounds));
  if (looked.length === 1) return looked[0]!;
  const { compare } = request.order;
  const [last = null] = looked.flatMap((each) => each.last ?? []).sort(compare);
  const all = new Map(looked.flatMap(({ found }) => found.map((each) => [each.publicId, each] as const)));
  const found = [...all.values()].filter((each) => !last || compare(each, last) <= 0);
  return { found: found.sort(compare), last };
}

/**
 * Looks at a few entries first, and then at more: most filters match often, and databases read ahead as far as they may.
 * @returns the keys of at most one record more than the page has, and the last entry if more follow
 */
async function search<R extends SortKeys>(
  records: Collection<R>,
  plan: ListPlan,
  { order, first, queries }: PageRequest,
  bounds: ListBounds,
): Promise<{ found: SortKeys[]; last: SortKeys | null }> {
  const { sort } = order;
  const isCovered = plan.covers();
  const keys = onlyFields(Object.keys(sort));
  const compared = isCovered ? [{ $project: onlyFields([...Object.keys(sort), ...plan.fields]) }] : [];
  const options = { maxTimeMS: bounds.queryMs, ...plan.hint };
  const found: SortKeys[] = [];
  const parts = [...queries];
  let left = isCovered ? bounds.entries : bounds.documents;
  let size = Math.min(firstLook * (first + 1), left);
  // One query for several parts would be an `$or`, for which databases read records.
  for (let part = parts.shift(); part; size = Math.min(growth * size, left)) {
    const within = allOf(plan.bounds, part);
    const stages = [
      ...[{ $match: within }, { $sort: sort }, { $limit: size }, ...compared],
      ...[{ $match: plan.rest }, { $limit: first + 1 - found.length }, { $project: keys }],
    ];
    found.push(
      ...(await inTime(records, { pipeline: stages }, options, (bounded) =>
        records.aggregate<SortKeys>(stages, { ...singleBatch, ...bounded }).toArray(),
      )),
    );
    if (found.length > first) break;
    const ends = { projection: keys, sort, skip: size - 1, limit: 2, ...options };
    const [last, next] = await findInTime<SortKeys>(records, within, ends);
    if (last && next) {
      left -= size;
      if (left === 0) return { found, last };
      parts.splice(0, parts.length, ...(order.after(order.keyOf(last)) ?? []));
    }
    part = parts.shift();
  }
  return { found, last: null };
}

/** Counts a list's records. @returns at most `limit`; null if the list exceeds the bounds */
export async function countList<R extends object>(
  records: Collection<R>,
  plan: ListPlan,
  { limit, bounds }: { limit: number; bounds: ListBounds },
): Promise<number | null> {
  const options = { maxTimeMS: bounds.queryMs, ...plan.hint };
  const count = (filter: Query, most: number) =>
    inTime(records, { filter }, { ...options, limit: most }, (bounded) =>
      records.countDocuments(filter as never, bounded),
    );
  if (!isEmpty(plan.rest)) {
    const most = plan.covers() ? bounds.entries : bounds.documents;
    if ((await count(plan.bounds, most + 1)) > most) return null;
  }
  return count(allOf(plan.bounds, plan.rest), limit);
}
