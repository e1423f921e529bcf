import { type Document } from 'mongodb';
import { type Collection } from 'mongoose';
import { allOf } from '../paging/query.rules.js';
import { type Hinting, withHint } from './indexes.js';

/** A page has fewer documents if 1,000 don't fit into a reply. */
const onePage = { limit: 1_000, batchSize: 1_000, singleBatch: true };

/** Documents are sorted by the field `key`, which must be unique and in the projection. */
type Wanted = { filter?: Document; projection?: Document; key?: string; hint?: Document };

/** Runs a query for each page, because a cursor would time out while the caller works on a page. */
export async function* inPages<T>(
  { collection }: { collection: Hinting },
  { filter = {}, projection = {}, key = '_id', ...hint }: Wanted = {},
): AsyncGenerator<T[]> {
  const options = { projection, sort: { [key]: 1 }, ...onePage, ...hint } as const;
  for (let query = filter; ;) {
    const page = await withHint(collection, options, (hinted) =>
      (collection as Collection).find(query, hinted).toArray(),
    );
    const last = page.at(-1);
    if (!last) return;
    yield page as T[];
    query = allOf(filter, { [key]: { $gt: last[key] as unknown } });
  }
}

export async function* eachOf<T>(...wanted: Parameters<typeof inPages>): AsyncGenerator<T> {
  for await (const page of inPages<T>(...wanted)) yield* page;
}
