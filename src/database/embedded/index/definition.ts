import { hasOperator, type BsonDocument } from '../values/document.js';
import { sortKey } from '../values/sort-key.js';
import { notSupported } from '../values/store-error.js';

export interface IndexDefinition {
  name: string;
  key: Record<string, number>;
  unique: boolean;
  sparse: boolean;
  partialFilterExpression?: BsonDocument;
  expireAfterSeconds?: number;
}

/** Not `unique`: the collection itself keeps ids unique. */
export const ID_INDEX: IndexDefinition = { name: '_id_', key: { _id: 1 }, unique: false, sparse: false };

const OPTIONS = 'key name unique sparse partialFilterExpression expireAfterSeconds background'.split(' ');

/** @throws StoreError CommandNotSupported for another kind of index, another option, and a partial index by more than plain values */
export function parseIndexDefinition({ ...specification }: BsonDocument): IndexDefinition {
  const { name, key, unique, sparse, partialFilterExpression, expireAfterSeconds } =
    specification as unknown as IndexDefinition;
  const other = Object.keys(specification).find((option) => !OPTIONS.includes(option));
  if (other !== undefined) throw notSupported(`The option ${other} of an index`);
  const kind = Object.values(key).find((each) => typeof each !== 'number');
  if (kind !== undefined) throw notSupported(`An index of the kind ${String(kind)}`);
  // Only of plain values is it easy to tell which filters the index can serve.
  const values = Object.entries(partialFilterExpression ?? {});
  if (values.some(([path, value]) => path.startsWith('$') || hasOperator(value)))
    throw notSupported('An operator in a partial index');
  return {
    name,
    key,
    unique: Boolean(unique),
    sparse: Boolean(sparse),
    ...(partialFilterExpression && { partialFilterExpression }),
    ...(expireAfterSeconds !== undefined && { expireAfterSeconds }),
  };
}

/** Whether two definitions differ at most in name and expiry. A collection can't have two such indexes. */
export function isSameIndex(a: IndexDefinition, b: IndexDefinition): boolean {
  const signature = ({ key, unique, sparse, partialFilterExpression }: IndexDefinition) =>
    sortKey({ key, unique, sparse, partialFilterExpression });
  return signature(a) === signature(b);
}

/** The definition as MongoDB reports it, without options that are off. */
export function describeIndex({ name, key, unique, sparse, ...others }: IndexDefinition): BsonDocument {
  return { v: 2, key, name, ...(unique && { unique }), ...(sparse && { sparse }), ...others };
}
