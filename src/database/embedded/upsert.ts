import { ObjectId } from 'bson';
import { hasOperator, type BsonDocument } from './bson-document.js';
import { splitPath } from './field-path.js';
import { equalityOf } from './filter.js';
import { StoreError } from './store-error.js';
import { isReplacement, type Update } from './update.js';
import { changeAt } from './update-path.js';

/**
 * The document that an upsert inserts: what its filter says must be equal, then the update on top.
 * @throws StoreError NotSingleValueField when the filter gives a path two values
 */
export function upsertedDocument(filter: BsonDocument, update: Update, source: unknown): BsonDocument {
  const seed: BsonDocument = {};
  const seen = new Set<string>();
  const isWhole = isReplacement(source);
  for (const [path, value] of equalities(filter)) {
    if (isWhole && path !== '_id') continue;
    if (seen.has(path)) {
      throw new StoreError(
        'NotSingleValueField',
        `cannot infer query fields to set, path '${path}' is matched twice`,
      );
    }
    seen.add(path);
    changeAt(seed, splitPath(path), true, () => value);
  }
  return withId(update(seed, { isInsert: true, matchedPosition: () => undefined }));
}

/** The document with its `_id` first, as MongoDB stores it, and with a new one when it has none. */
export function withId(document: BsonDocument): BsonDocument {
  const { _id = new ObjectId(), ...fields } = document;
  return { _id, ...fields };
}

function equalities(filter: BsonDocument): [path: string, value: unknown][] {
  return Object.entries(filter).flatMap(([name, operand]): [string, unknown][] => {
    if (name === '$and') return (operand as BsonDocument[]).flatMap(equalities);
    if (name === '$or') {
      const alternatives = operand as BsonDocument[];
      return alternatives.length === 1 ? alternatives.flatMap(equalities) : [];
    }
    if (name.startsWith('$')) return [];
    const equality = equalityOf(operand) ?? singleOf(operand);
    return equality === undefined ? [] : [[name, equality.value]];
  });
}

/** `$eq` beside other operators, and `$in` or `$all` of one value, also say what a field is. */
function singleOf(condition: unknown): { value: unknown } | undefined {
  if (!hasOperator(condition)) return undefined;
  if ('$eq' in condition) return { value: condition.$eq };
  const list = condition.$in ?? condition.$all;
  return Array.isArray(list) && list.length === 1 && equalityOf(list[0])
    ? { value: list[0] as unknown }
    : undefined;
}
