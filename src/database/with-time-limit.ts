import { type Document, type FindOptions } from 'mongodb';
import { DomainError } from '../errors/domain-error.js';
import { isPlainObject } from './readable-records.js';
import { type Hinting, withHint } from './indexes.js';
import { isTimeOver } from './database-errors.js';

interface Limits extends Partial<Record<'sort' | 'skip' | 'limit', unknown>> {
  hint?: Document | undefined;
  maxTimeMS: number;
}

interface Compared {
  filter?: object;
  pipeline?: readonly Document[];
}

/**
 * Runs a list's query, without its hint if the index is missing.
 * @throws DomainError service-unavailable if it takes too long. The caller is told to ask for less, and the log the query's shape, without
 *   a value of a caller or record
 */
export const withTimeLimit = <Options extends Limits, Found>(
  records: Hinting,
  compared: Compared,
  options: Options,
  run: (options: Options) => Promise<Found>,
): Promise<Found> =>
  withHint(records, options, (hinted) =>
    run(hinted).catch((error: unknown) => {
      if (!isTimeOver(error)) throw error;
      const shape = JSON.stringify(shapeOf({ ...compared, ...hinted }));
      const cause = new Error(
        `a query of ${records.collectionName} took over ${hinted.maxTimeMS} ms: ${shape}`,
      );
      throw new DomainError('service-unavailable', { retryAfterSeconds: 1, hint: askForLess, cause });
    }),
  );

const askForLess = {
  en: 'the list takes too long; narrow its filter, or ask for a smaller page',
  fr: 'la liste prend trop de temps ; restreignez son filtre, ou demandez une page plus petite',
};

/** A collection, whatever its records are. */
export interface Searchable extends Hinting {
  find<Read>(filter: Document, options: FindOptions): { toArray(): Promise<Read[]> };
}

/** Reads all that the query finds, by {@link withTimeLimit}. */
export const findWithTimeLimit = <Read>(
  records: Searchable,
  filter: Document,
  options: FindOptions & { hint?: Document; maxTimeMS: number },
): Promise<Read[]> =>
  withTimeLimit(records, { filter }, options, (bounded) => records.find<Read>(filter, bounded).toArray());

const shapeOf = ({ filter, pipeline, sort, hint, skip, limit }: Compared & Limits): object => ({
  filter: filter && withoutValues(filter),
  pipeline: pipeline?.map((stage) => ('$match' in stage ? { $match: withoutValues(stage.$match) } : stage)),
  ...{ sort, hint, skip, limit },
});

function withoutValues(condition: unknown): unknown {
  if (Array.isArray(condition) && condition.every(isPlainObject)) return condition.map(withoutValues);
  if (!isPlainObject(condition)) return '?';
  return Object.fromEntries(Object.entries(condition).map(([name, value]) => [name, withoutValues(value)]));
}
