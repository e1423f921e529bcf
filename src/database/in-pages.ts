import { type Collection, type Document } from 'mongodb';

/** It has fewer documents if they are longer than a reply may be. */
const onePage = { limit: 1_000, batchSize: 1_000, singleBatch: true };

/** What to look for, in the order of `key`: every document has it, no two have the same, and the projection keeps it. */
type Wanted = { filter?: Document; projection?: Document; key?: string };

/** All that is wanted, some at a time, each page by a query of its own: a cursor would time out while somebody works on one. */
export async function* inPages<T>(
  { collection }: { collection: object },
  { filter = {}, projection = {}, key = '_id' }: Wanted = {},
): AsyncGenerator<T[]> {
  const options = { projection, sort: { [key]: 1 }, ...onePage } as const;
  for (let query = filter; ;) {
    const page = await (collection as Collection).find(query, options).toArray();
    const last = page.at(-1);
    if (!last) return;
    yield page as T[];
    query = { ...filter, [key]: { ...(filter[key] as object | undefined), $gt: last[key] as unknown } };
  }
}

/** The same, one by one. */
export async function* eachOf<T>(...wanted: Parameters<typeof inPages>): AsyncGenerator<T> {
  for await (const page of inPages<T>(...wanted)) yield* page;
}
