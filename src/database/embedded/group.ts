import { isDocument, type BsonDocument } from './bson-document.js';
import { compileExpression } from './expression.js';
import { compareValues, sortKey } from './sort-key.js';
import { notSupported, StoreError } from './store-error.js';

/** Makes one value of the operand's values in a group's documents; undefined stands for a missing field. */
type Accumulator = (values: readonly unknown[]) => unknown;

const accumulators: Record<string, Accumulator> = {
  $sum: (values) => sum(numbers(values)),
  $count: (values) => values.length,
  $avg: (values) => (numbers(values).length === 0 ? null : sum(numbers(values)) / numbers(values).length),
  $min: (values) => extreme(values, -1),
  $max: (values) => extreme(values, 1),
  $first: (values) => values[0] ?? null,
  $last: (values) => values.at(-1) ?? null,
  $push: (values) => present(values),
  $addToSet: (values) => [...new Map(present(values).map((value) => [sortKey(value), value])).values()],
  $mergeObjects: (values) => Object.assign({}, ...values) as BsonDocument,
};

/** Accumulators that MongoDB has and this store does not. */
const REFUSED = new Set(
  '$accumulator $bottom $bottomN $firstN $lastN $maxN $minN $median $percentile $stdDevPop $stdDevSamp $top $topN $concatArrays $setUnion'.split(
    ' ',
  ),
);

/**
 * Compiles the stage `$group`. Groups come in the order of their first documents.
 * @throws StoreError Location15952 for an unknown accumulator
 */
export function compileGroup(
  specification: unknown,
  variables: BsonDocument,
): (documents: readonly BsonDocument[]) => BsonDocument[] {
  if (!isDocument(specification) || !('_id' in specification)) {
    throw new StoreError('BadValue', 'a group specification must include an _id');
  }
  const { _id, ...fields } = specification;
  const idOf = compileExpression(_id, variables);
  const columns = Object.entries(fields).map(([name, field]) => ({
    name,
    ...compileField(name, field, variables),
  }));
  return (documents) => {
    const groups = new Map<string, { id: unknown; members: BsonDocument[] }>();
    for (const document of documents) {
      const id = idOf(document) ?? null;
      const key = sortKey(id);
      const group = groups.get(key);
      if (group === undefined) groups.set(key, { id, members: [document] });
      else group.members.push(document);
    }
    return [...groups.values()].map(({ id, members }) => {
      const result: BsonDocument = { _id: id };
      for (const { name, evaluate, accumulate } of columns) result[name] = accumulate(members.map(evaluate));
      return result;
    });
  };
}

function compileField(name: string, field: unknown, variables: BsonDocument) {
  const [operator, ...others] = isDocument(field) ? Object.keys(field) : [];
  if (!isDocument(field) || operator === undefined || others.length > 0 || !operator.startsWith('$')) {
    throw new StoreError('Location40234', `The field '${name}' must be an accumulator object`);
  }
  const accumulate = accumulators[operator];
  if (REFUSED.has(operator)) throw notSupported(`The accumulator ${operator}`);
  if (accumulate === undefined) throw new StoreError('Location15952', `unknown group operator '${operator}'`);
  return { evaluate: compileExpression(field[operator], variables), accumulate };
}

function numbers(values: readonly unknown[]): number[] {
  return values.filter((value) => typeof value === 'number');
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function present(values: readonly unknown[]): unknown[] {
  return values.filter((value) => value !== undefined);
}

function extreme(values: readonly unknown[], sign: 1 | -1): unknown {
  const candidates = values.filter((value) => value !== undefined && value !== null);
  if (candidates.length === 0) return null;
  return candidates.reduce((best, value) => (compareValues(value, best) * sign > 0 ? value : best));
}
