import { hasOperator, type BsonDocument } from './bson-document.js';
import type { Collection } from './collection.js';
import type { CollectionIndex } from './collection-index.js';
import { compileFilter, equalityOf } from './filter.js';
import type { EntryRange, IndexEntries } from './index-entries.js';
import type { SortField } from './sort.js';
import { NULL_KEY, sortKey, typeBracket } from './sort-key.js';
import type { StoredRecord } from './stored-record.js';

/** Documents among which all that a filter matches are; maybe more. */
export interface Plan {
  records: Iterable<StoredRecord>;
  /** Whether they already come in the order asked for. */
  isSorted: boolean;
}

/** What a filter says of one field: which keys its values have, or between which keys they lie, ends included. */
interface Constraint {
  keys?: readonly string[];
  range?: { low: string; high: string; isTwoSided: boolean };
  isNullable: boolean;
}

interface Candidate {
  index: CollectionIndex;
  ranges: EntryRange[];
  size: number;
  isSorted: boolean;
  isReverse: boolean;
}

/**
 * Finds the cheapest way to the documents that a filter matches: by `_id`, through the index that leaves the
 * fewest, through an index in the order asked for, or through all of them. The filter still has to be applied.
 * @param sort the order asked for; empty for any
 */
export function planAccess(collection: Collection, filter: BsonDocument, sort: readonly SortField[]): Plan {
  const conditions = conditionsOf(filter);
  const ids = constraintOf(conditions, '_id')?.keys;
  if (ids !== undefined)
    return { records: ids.flatMap((id) => collection.recordById(id) ?? []), isSorted: false };
  const candidates = [...collection.indexes]
    .filter((index) => holdsAll(index, conditions))
    .flatMap((index) => candidateOf(index, conditions, sort) ?? []);
  // Sorting costs more than walking: an index in the right order wins unless another leaves far fewer.
  const cost = ({ size, isSorted }: Candidate) => (isSorted || sort.length === 0 ? size : size * 8);
  const best = candidates.reduce<Candidate | undefined>(
    (least, candidate) => (least === undefined || cost(candidate) < cost(least) ? candidate : least),
    undefined,
  );
  if (best === undefined) return { records: collection.records(), isSorted: false };
  return { records: walk(best), isSorted: best.isSorted };
}

/** The conditions that all must hold: those at the top, and inside `$and`. */
function conditionsOf(filter: BsonDocument): [path: string, condition: unknown][] {
  return Object.entries(filter).flatMap(([name, operand]): [string, unknown][] => {
    if (name === '$and') return (operand as BsonDocument[]).flatMap(conditionsOf);
    return name.startsWith('$') ? [] : [[name, operand]];
  });
}

function constraintOf(conditions: readonly [string, unknown][], path: string): Constraint | undefined {
  const found = conditions.filter(([name]) => name === path).map(([, condition]) => readCondition(condition));
  return (
    found.find((constraint) => constraint?.keys !== undefined) ??
    found.find((constraint) => constraint !== undefined)
  );
}

function readCondition(condition: unknown): Constraint | undefined {
  const equality = equalityOf(condition);
  if (equality !== undefined) return valuesConstraint([equality.value]);
  if (!hasOperator(condition)) return undefined;
  if ('$eq' in condition) return valuesConstraint([condition.$eq]);
  if (Array.isArray(condition.$in)) return valuesConstraint(condition.$in);
  return rangeConstraint(condition.$gt ?? condition.$gte, condition.$lt ?? condition.$lte);
}

function valuesConstraint(values: readonly unknown[]): Constraint | undefined {
  // An index holds the elements of an array, not the array; and an expression equals many values.
  if (values.some((value) => Array.isArray(value) || value instanceof RegExp)) return undefined;
  const keys = [...new Set(values.map(sortKey))].sort();
  return { keys, isNullable: keys.includes(NULL_KEY) };
}

function rangeConstraint(low: unknown, high: unknown): Constraint | undefined {
  const ends = [low, high].filter((end) => end !== undefined);
  const [end] = ends;
  if (end === undefined || ends.some((value) => value === null || Array.isArray(value))) return undefined;
  const bracket = typeBracket(sortKey(end));
  const range = {
    low: low === undefined ? bracket : sortKey(low),
    high: high === undefined ? bracket : sortKey(high),
    isTwoSided: ends.length === 2,
  };
  return { range, isNullable: false };
}

/** Whether an index is sure to hold every document that the conditions match. */
function holdsAll({ definition, paths }: CollectionIndex, conditions: readonly [string, unknown][]): boolean {
  if (definition.sparse) {
    return paths.some((path) => constraintOf(conditions, path)?.isNullable === false);
  }
  const partial = definition.partialFilterExpression;
  if (partial === undefined) return true;
  return conditionsOf(partial).every(([path, required]) => {
    const implies = compileFilter({ value: required });
    return conditions.some(([name, condition]) => {
      if (name !== path) return false;
      const equality = equalityOf(condition);
      const isImplied = equality !== undefined && equality.value !== null && !Array.isArray(equality.value);
      return sortKey(condition) === sortKey(required) || (isImplied && implies({ value: equality.value }));
    });
  });
}

function candidateOf(
  index: CollectionIndex,
  conditions: readonly [string, unknown][],
  sort: readonly SortField[],
): Candidate | undefined {
  const { paths } = index;
  const constraints = paths.map((path) => constraintOf(conditions, path));
  // Asked before the index is, which builds it.
  if (constraints[0] === undefined && sort[0]?.path !== paths[0]) return undefined;
  const { entries, isMultikey } = index;
  const open = constraints.findIndex((constraint) => constraint?.keys?.length !== 1);
  // Different elements of an array may satisfy different conditions, so only one of them narrows the index.
  const equalCount = Math.min(open < 0 ? paths.length : open, isMultikey ? 1 : paths.length);
  const prefix = constraints.slice(0, equalCount).flatMap((constraint) => constraint?.keys ?? []);
  const next = isMultikey && equalCount > 0 ? undefined : constraints[equalCount];
  const order = isMultikey ? undefined : orderOf(index, equalCount, sort);
  if (equalCount === 0 && next === undefined && order === undefined) return undefined;
  const ranges = rangesOf(entries, prefix, next, isMultikey);
  const size = ranges.reduce((total, { from, to }) => total + to - from, 0);
  const isSorted = order !== undefined && ranges.length === 1;
  return { index, ranges, size, isSorted, isReverse: isSorted && order === -1 };
}

function rangesOf(
  entries: IndexEntries,
  prefix: readonly string[],
  next: Constraint | undefined,
  isMultikey: boolean,
): EntryRange[] {
  if (next?.keys !== undefined) return next.keys.map((key) => entries.startingWith([...prefix, key]));
  if (next?.range === undefined) return [entries.startingWith(prefix)];
  const { low, high, isTwoSided } = next.range;
  // In an array one element may be above the one end and another below the other.
  return [entries.between(prefix, low, isTwoSided && isMultikey ? typeBracket(low) : high)];
}

/** Which way to walk an index for an order, once its first fields are fixed; undefined if it has another one. */
function orderOf(
  { paths }: CollectionIndex,
  fixedCount: number,
  sort: readonly SortField[],
): 1 | -1 | undefined {
  const fixed = new Set(paths.slice(0, fixedCount));
  const open = sort.filter(({ path }) => !fixed.has(path));
  const [first] = sort;
  if (first === undefined) return undefined;
  const direction = open[0]?.direction ?? 1;
  const isServed = open.every(
    (field, position) => field.direction === direction && field.path === paths[fixedCount + position],
  );
  return isServed ? direction : undefined;
}

function* walk({ index, ranges, isReverse }: Candidate): Generator<StoredRecord> {
  const seen = new Set<StoredRecord>();
  for (const range of ranges) {
    for (const record of index.entries.records(range, isReverse)) {
      if (!index.isMultikey) yield record;
      else if (seen.size < seen.add(record).size) yield record;
    }
  }
}
