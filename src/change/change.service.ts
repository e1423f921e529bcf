import { type Document } from 'mongodb';
import { type Caller } from '../tokens/caller.js';
import { allOf } from '../paging/query.rules.js';
import { asBytes, decode } from '../paging/answer-budget.js';
import { encodeCursor, type Page, pageOf, type PageRequest, textOf } from '../paging/page.js';
import { type ListBounds } from '../database/bounded-list.js';
import { singleBatch } from '../database/single-batch.js';
import { findInTime, inTime } from '../database/slow-query.js';
import { type VersionedKind } from '../history/history.record.js';
import {
  afterAllAt,
  cursorOf,
  hasRestOfInstant,
  type Position,
  positionOf,
  type SourceName,
  sources,
} from './change-cursor.rules.js';
import { type Change, type ChangeSource, type SourceDependencies, sourcesOf } from './change-sources.js';
import { type Departure, presentRecords } from './departure.record.js';

/** The list ends this long before now. A write takes less time, so no change appears behind a cursor. */
const settlingMs = 5_000;

/** Lists the changes in a media (Contract 4.6.1). */
export class ChangeService {
  constructor(
    private readonly dependencies: SourceDependencies & {
      /** The database's time: its clock also sets `changedAt`. */
      now: () => Promise<Date>;
      listBounds: Pick<ListBounds, 'queryMs'>;
    },
  ) {}

  /**
   * A caller that continues after the last cursor gets each record that has changed since, at least once.
   * @throws DomainError validation-failed for a cursor that is no longer valid
   */
  async page(
    caller: Caller,
    { media, kinds }: { media: string; kinds: readonly VersionedKind[] },
    request: PageRequest,
  ): Promise<Page<Change>> {
    const feed = { media, now: await this.dependencies.now() };
    const position = request.after === null ? null : positionOf(request.after, feed);
    const lists = sourcesOf(this.dependencies, caller, feed, kinds);
    const until = new Date(feed.now.getTime() - settlingMs);
    const read = () =>
      request.budget.enqueue(async () => {
        const found = await Promise.all(
          lists.map((list) => this.readAfter(list, position, until, request.first + 1)),
        );
        // The sort is stable: at the same instant, an earlier source comes first.
        const sorted = found.flat().sort((one, other) => msOf(one.position) - msOf(other.position));
        const all = sorted.map((each, index) => {
          const next = sorted[index + 1];
          const isLast = !next || msOf(next.position) !== msOf(each.position);
          return { ...each, goOnAt: isLast ? afterAllAt(each.position.at) : each.position };
        });
        const fitting = all
          .slice(0, request.first)
          .filter(({ bytes }) => request.budget.left > 0 && request.budget.take(bytes));
        const hasMore = all.length > fitting.length;
        const { pageInfo, edges } = pageOf(fitting, request, ({ goOnAt }) => cursorOf(feed, goOnAt), hasMore);
        // Another import may have moved a record back: what is in the media when it is read is not gone.
        const departed = fitting.filter(({ position: { source } }) => source === 'departure');
        const gone = departed.flatMap(({ change }) => change ?? []);
        const back = await presentRecords(this.dependencies, media, gone);
        // An empty page renews the caller's cursor.
        const endCursor = pageInfo.endCursor ?? (position && encodeCursor(cursorOf(feed, position)));
        return {
          edges: edges.flatMap(({ cursor, node: { change, position: at } }) => {
            const isBack = at.source === 'departure' && back.has(at.key);
            return change && !isBack ? [{ cursor, node: change }] : [];
          }),
          pageInfo: { ...pageInfo, endCursor },
        };
      });
    return request.counted(read, async (limit) => {
      const options = { limit, maxTimeMS: this.dependencies.listBounds.queryMs };
      const counts = lists.map(([name, { collection, at, match }]) => {
        const listed = allOf(match, { [at]: { $lte: until } });
        return name === 'departure'
          ? this.countGone(media, listed, options)
          : inTime(collection, { filter: listed }, options, (bounded) =>
              collection.countDocuments(listed, bounded),
            );
      });
      return (await Promise.all(counts)).reduce((sum, each) => sum + each, 0);
    });
  }

  private async countGone(media: string, listed: Document, options: { limit: number; maxTimeMS: number }) {
    const { departures } = this.dependencies;
    const bounded = { ...singleBatch, ...options, projection: { kind: 1, publicId: 1 } };
    const found = await findInTime<Departure>(departures, listed, bounded);
    if (found.length === options.limit) return found.length;
    return found.length - (await presentRecords(this.dependencies, media, found)).size;
  }

  private async readAfter(
    [name, { collection, match, projection, hint, at, key, show }]: readonly [SourceName, ChangeSource],
    position: Position | null,
    until: Date,
    most: number,
  ) {
    const sourcesLater = position ? sources.indexOf(name) - sources.indexOf(position.source) : 0;
    const found: Uint8Array[] = [];
    const read = async (conditions: Document) => {
      const limit = most - found.length;
      if (limit === 0) return;
      const options = {
        ...asBytes,
        ...(projection && { projection }),
        ...(hint && { hint }),
        sort: { [at]: 1, [key]: 1 } as const,
        limit,
        maxTimeMS: this.dependencies.listBounds.queryMs,
        // Larger than `limit`, so that the driver needs no second command.
        batchSize: limit + 1,
      };
      found.push(...(await findInTime<Uint8Array>(collection, allOf(match, conditions), options)));
    };
    // Changes of the same time are listed source by source, in the order of `sources`. At the time of the position, the sources before
    // its own are finished, and the sources after it have not begun.
    if (position && sourcesLater === 0 && hasRestOfInstant(position))
      await read({ [at]: position.at, [key]: { $gt: position.key } });
    const isLater = position && { [at]: { [sourcesLater > 0 ? '$gte' : '$gt']: position.at } };
    await read(allOf(isLater, { [at]: { $lte: until } }));
    const views = show(found.map((bytes) => decode(bytes)));
    return views.map(({ record, change }, index) => {
      const position = { at: instantOf(record[at]), source: name, key: textOf(record[key]) };
      return { change, position, bytes: found[index]?.length ?? 0 };
    });
  }
}

const msOf = ({ at }: Position): number => at.getTime();

/** A damaged record can have a list with a date, or a date before JavaScript's first. */
function instantOf(value: unknown): Date {
  const [first]: unknown[] = [value].flat();
  return first instanceof Date && !Number.isNaN(first.getTime()) ? first : new Date(-8.64e15);
}
