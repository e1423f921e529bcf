import { isDocument, typeName, type BsonDocument } from './bson-document.js';
import { compareValues, sortKey } from './sort-key.js';
import { StoreError } from './store-error.js';

/** Makes one value of the operand's values in a group's documents; undefined stands for a missing field. */
export type Accumulator = (values: readonly unknown[]) => unknown;

/** The accumulators of `$group`, by name. Some are expressions over the elements of an array as well. */
export const accumulators: Record<string, Accumulator> = {
  $sum: (values) => sum(numbers(values)),
  $count: (values) => values.length,
  $avg: (values) => (numbers(values).length === 0 ? null : sum(numbers(values)) / numbers(values).length),
  $min: (values) => extreme(values, -1),
  $max: (values) => extreme(values, 1),
  $first: (values) => values[0] ?? null,
  $last: (values) => values.at(-1) ?? null,
  $push: (values) => present(values),
  $addToSet: (values) => [...new Map(present(values).map((value) => [sortKey(value), value])).values()],
  $mergeObjects: (values) => mergeObjects(values),
};

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

function mergeObjects(values: readonly unknown[]): BsonDocument {
  const merged: BsonDocument = {};
  for (const value of values) {
    if (value === undefined || value === null) continue;
    if (!isDocument(value)) {
      throw new StoreError(
        'Location40400',
        `$mergeObjects requires object inputs, but input is of type ${typeName(value)}`,
      );
    }
    Object.assign(merged, value);
  }
  return merged;
}
