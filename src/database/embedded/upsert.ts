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
    return valuesOf(operand).map((value) => [name, value]);
  });
}

/** What a condition says a field is. `$all` says it once for each value, which is an error for more than one. */
function valuesOf(condition: unknown): unknown[] {
  const equality = equalityOf(condition);
  if (equality !== undefined) return [equality.value];
  if (!hasOperator(condition)) return [];
  if ('$eq' in condition) return [condition.$eq];
  const { $all: all, $in: any } = condition;
  const list: unknown = Array.isArray(any) && any.length === 1 ? any : all;
  return Array.isArray(list) ? list.filter((value) => equalityOf(value) !== undefined) : [];
}
