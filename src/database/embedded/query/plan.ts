import { type CollectionIndex } from '../index/collection-index.js';
import { type StoredRecord } from '../index/entries.js';
import { type IndexKey } from '../index/keys.js';
import { equalityOf } from '../language/filter.js';
import { type Collection } from '../storage/collection.js';
import { hasOperator, type BsonDocument } from '../values/document.js';
import { NULL_KEY, sortKey, typeBracket } from '../values/sort-key.js';
import { mergeSorted, type SortField } from './sort.js';

/** The ranges of keys, ends included, that a filter allows for one field. */
interface Constraint {
  ranges: readonly (readonly [low: string, high: string])[];
  /** Whether each range is a single key. */
  isExact: boolean;
}

type Candidate = NonNullable<ReturnType<typeof candidateOf>>;

type Conditions = readonly (readonly [path: string, condition: unknown])[];

/** The most ranges that several values of an index's first fields may lead to, and that are merged in the order of a sort. */
const mostScans = 200;

/** Picks the cheapest way to find at least the documents of a filter, in the order of `sort`, or in any order if `sort` is empty. */
export function planAccess(collection: Collection, filter: BsonDocument, sort: readonly SortField[]) {
  const conditions = conditionsOf(filter);
  const ids = constraintOf(conditions, '_id');
  if (ids?.isExact) {
    return { records: ids.ranges.flatMap(([id]) => collection.recordById(id) ?? []), isSorted: false };
  }
  const candidates = [...collection.indexes]
    .filter((index) => holdsAll(index, conditions))
    .flatMap((index) => candidateOf(index, conditions, sort) ?? []);
  // Sorting costs more than walking an index.
  const cost = ({ size, isSorted }: Candidate) => (isSorted || sort.length === 0 ? size : size * 8);
  const [best] = candidates.sort((a, b) => cost(a) - cost(b));
  if (best === undefined) return { records: collection.records(), isSorted: false };
  return { records: walk(best, sort), isSorted: best.isSorted };
}

/** The conditions at the top level and inside `$and`. */
function conditionsOf(filter: BsonDocument): Conditions {
  return Object.entries(filter).flatMap(([name, operand]): Conditions => {
    if (name === '$and') return (operand as BsonDocument[]).flatMap(conditionsOf);
    return name.startsWith('$') ? [] : [[name, operand]];
  });
}

function constraintOf(conditions: Conditions, path: string): Constraint | undefined {
  const found = conditions.flatMap(([name, condition]) =>
    name === path ? (readCondition(condition) ?? []) : [],
  );
  return found.find(({ isExact }) => isExact) ?? found[0];
}

function readCondition(condition: unknown): Constraint | undefined {
  const equality = equalityOf(condition);
  if (equality !== undefined) return exactConstraint([equality.value]);
  if (!hasOperator(condition)) return undefined;
  if ('$eq' in condition) return exactConstraint([condition.$eq]);
  if (Array.isArray(condition.$in)) return exactConstraint(condition.$in);
  const [low, high] = [condition.$gt ?? condition.$gte, condition.$lt ?? condition.$lte];
  const end = low ?? high ?? null;
  if (end === null || Array.isArray(low) || Array.isArray(high)) return undefined;
  const bracket = typeBracket(sortKey(end));
  const keyOf = (bound: unknown) => (bound === undefined ? bracket : sortKey(bound));
  return { ranges: [[keyOf(low), keyOf(high)]], isExact: false };
}

function exactConstraint(values: readonly unknown[]): Constraint | undefined {
  // An index holds an array's elements, and a pattern matches many values, so neither has a single key.
  if (values.some((value) => Array.isArray(value) || value instanceof RegExp)) return undefined;
  const keys = [...new Set(values.map(sortKey))].sort();
  return { ranges: keys.map((key) => [key, key]), isExact: true };
}

/** Whether an index certainly holds every document that the conditions match. */
function holdsAll({ definition, paths }: CollectionIndex, conditions: Conditions): boolean {
  const { sparse, partialFilterExpression = {} } = definition;
  if (sparse) {
    const isAsked = (constraint?: Constraint) => constraint?.ranges.every(([low]) => low !== NULL_KEY);
    return paths.some((path) => isAsked(constraintOf(conditions, path)));
  }
  return Object.entries(partialFilterExpression).every(([path, required]) =>
    conditions.some(([name, condition]) => {
      const equality = equalityOf(condition);
      return name === path && equality !== undefined && sortKey(equality.value) === sortKey(required);
    }),
  );
}

function candidateOf(index: CollectionIndex, conditions: Conditions, sort: readonly SortField[]) {
  const { paths } = index;
  const constraints = paths.map((path) => constraintOf(conditions, path));
  // Return before reading `entries`, which builds the index.
  if (constraints[0] === undefined && sort[0]?.path !== paths[0]) return undefined;
  const { entries, isMultikey } = index;
  let scans = 1;
  const isFixed = (constraint?: Constraint) =>
    constraint?.isExact && (scans *= constraint.ranges.length) <= (isMultikey ? 1 : mostScans);
  const open = constraints.findIndex((constraint) => !isFixed(constraint));
  // Different elements of an array may satisfy different conditions, so only one condition on it can narrow the index.
  const fields = paths.map((path) => path.split('.')[0]);
  const second = isMultikey ? fields.findIndex((field, at) => fields.indexOf(field) < at) : -1;
  const most = second < 0 ? paths.length : second;
  const fixedCount = Math.min(open < 0 ? paths.length : open, most);
  const prefixes = constraints
    .slice(0, fixedCount)
    .reduce<IndexKey[]>(
      (all, constraint) => all.flatMap((parts) => constraint!.ranges.map(([key]) => [...parts, key])),
      [[]],
    );
  const next = isMultikey && fixedCount > 0 ? undefined : constraints[fixedCount];
  const order = isMultikey ? undefined : orderOf(index, fixedCount, sort);
  if (fixedCount === 0 && next === undefined && order === undefined) return undefined;
  const ranges = prefixes.flatMap(
    (prefix) =>
      next?.ranges.map(([low, high]) => {
        // Use only one bound of a multikey index: different elements of an array can satisfy the two bounds.
        const isLowOnly = isMultikey && !next.isExact && low !== typeBracket(low);
        return entries.between(prefix, low, isLowOnly ? typeBracket(low) : high);
      }) ?? [entries.between(prefix)],
  );
  const size = ranges.reduce((total, { from, to }) => total + to - from, 0);
  const isSorted = order !== undefined && ranges.length <= mostScans;
  return { index, ranges, size, isSorted, isReverse: isSorted && order === -1 };
}

/** The direction in which a range of an index has a sort's order, if it has. Its first `fixedCount` fields have one value, so they don't matter. */
function orderOf({ paths }: CollectionIndex, fixedCount: number, sort: readonly SortField[]) {
  if (sort.length === 0) return undefined;
  const open = sort.filter(({ path }) => !paths.slice(0, fixedCount).includes(path));
  const direction = open[0]?.direction ?? 1;
  const isServed = open.every(
    (field, position) => field.direction === direction && field.path === paths[fixedCount + position],
  );
  return isServed ? direction : undefined;
}

function* walk(
  { index, ranges, isSorted, isReverse }: Candidate,
  sort: readonly SortField[],
): Generator<StoredRecord> {
  const lists = ranges.map((range) => index.entries.records(range, isReverse));
  if (isSorted && lists.length > 1) {
    yield* mergeSorted(lists, sort, ({ document }) => document);
    return;
  }
  const seen = new Set<StoredRecord>();
  for (const list of lists) {
    for (const record of list) {
      if (!index.isMultikey || seen.size < seen.add(record).size) yield record;
    }
  }
}
