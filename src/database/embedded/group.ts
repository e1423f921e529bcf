import { isDocument, type BsonDocument } from './bson-document.js';
import { compileExpression } from './expression.js';
import { accumulators } from './accumulators.js';
import { sortKey } from './sort-key.js';
import { notSupported, StoreError } from './store-error.js';

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
