import { type Document, type FindOptions } from 'mongodb';
import { unavailable } from '../errors/domain-error.js';
import { isDocument } from './damage.js';
import { isTimeOver } from './mask-error.js';

interface ListQuery extends Partial<Record<'sort' | 'hint' | 'skip' | 'limit', unknown>> {
  filter?: object;
  pipeline?: readonly Document[];
  maxTimeMS: number;
}

/** If a list's query took too long, throws service-unavailable with its shape, without a value of a caller or record (Contract 4.4.16). */
export const refuseSlow =
  ({ collectionName }: { collectionName: string }, query: ListQuery) =>
  (error: unknown): never => {
    if (!isTimeOver(error)) throw error;
    const shape = JSON.stringify(shapeOf(query));
    throw unavailable(new Error(`a query of ${collectionName} took over ${query.maxTimeMS} ms: ${shape}`));
  };

/** A collection, whatever its records are. */
export interface Searchable {
  collectionName: string;
  find<Read>(filter: Document, options: FindOptions): { toArray(): Promise<Read[]> };
}

/** Reads all that the query finds. @throws DomainError service-unavailable by {@link refuseSlow} */
export const findInTime = <Read>(
  records: Searchable,
  filter: Document,
  options: FindOptions & { maxTimeMS: number },
): Promise<Read[]> =>
  records
    .find<Read>(filter, options)
    .toArray()
    .catch(refuseSlow(records, { filter, ...options }));

const shapeOf = ({ filter, pipeline, sort, hint, skip, limit }: ListQuery): object => ({
  filter: filter && withoutValues(filter),
  pipeline: pipeline?.map((stage) => ('$match' in stage ? { $match: withoutValues(stage.$match) } : stage)),
  ...{ sort, hint, skip, limit },
});

function withoutValues(condition: unknown): unknown {
  if (Array.isArray(condition) && condition.every(isDocument)) return condition.map(withoutValues);
  if (!isDocument(condition)) return '?';
  return Object.fromEntries(Object.entries(condition).map(([name, value]) => [name, withoutValues(value)]));
}
