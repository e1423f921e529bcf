import { type Document } from 'mongodb';
import { type Caller } from '../tokens/caller.js';
import { allOf } from '../paging/query.rules.js';
import { asBytes, decode } from '../paging/reply-budget.js';
import { encodeCursor, type Page, pageOf, type PageRequest } from '../paging/page.js';
import { type ListBounds } from '../database/list.js';
import { findWithTimeLimit, withTimeLimit } from '../database/with-time-limit.js';
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

/** The list ends this long before now. A write takes less time, so no change appears behind a cursor. */
const settlingMs = 5_000;

/** Lists the changes in a media. */
export class ChangeService {
  constructor(
    private readonly dependencies: SourceDependencies & {
      /** The database's time: its clock also sets `changedAt`. */
      now: () => Promise<Date>;
      epoch: () => Promise<string | null>;
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
    const { now, epoch } = this.dependencies;
    const feed = { media, now: await now(), epoch: await epoch() };
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
        // An empty page renews the caller's cursor.
        const endCursor = pageInfo.endCursor ?? (position && encodeCursor(cursorOf(feed, position)));
        return {
          edges: edges.flatMap(({ cursor, node: { change } }) => (change ? [{ cursor, node: change }] : [])),
          pageInfo: { ...pageInfo, endCursor },
        };
      });
    return request.counted(read, async (limit) => {
      const options = { limit, maxTimeMS: this.dependencies.listBounds.queryMs };
      const counts = lists.map(([, { collection, roles }]) => {
        const [{ match, hint } = {}, ...others] = roles;
        const reached = others.length > 0 ? { $or: roles.map((role) => role.match) } : match;
        const listed = allOf(reached, { changedAt: { $lte: until } });
        const bounded = { ...options, ...(others.length === 0 && hint && { hint }) };
        return withTimeLimit(collection, { filter: listed }, bounded, (hinted) =>
          collection.countDocuments(listed, hinted),
        );
      });
      return (await Promise.all(counts)).reduce((sum, each) => sum + each, 0);
    });
  }

  private async readAfter(
    [name, { collection, roles, projection, key, readable, show }]: readonly [SourceName, ChangeSource],
    position: Position | null,
    until: Date,
    most: number,
  ) {
    const sourcesLater = position ? sources.indexOf(name) - sources.indexOf(position.source) : 0;
    const found: { bytes: Uint8Array; at: Date; key: string; record: object }[] = [];
    const read = async (conditions: Document) => {
      const limit = most - found.length;
      if (limit === 0) return;
      const options = {
        ...asBytes,
        ...(projection && { projection }),
        sort: { changedAt: 1, [key]: 1 } as const,
        limit,
        maxTimeMS: this.dependencies.listBounds.queryMs,
        // Larger than `limit`, so that the driver needs no second command.
        batchSize: limit + 1,
      };
      const ofRoles = await Promise.all(
        roles.map(({ match, hint }) =>
          findWithTimeLimit<Uint8Array>(collection, allOf(match, conditions), { ...options, hint }),
        ),
      );
      const all = new Map(
        ofRoles.flat().map((bytes) => {
          const record = decode<{ changedAt: Date; publicId: string; _id: string }>(bytes);
          const own = record[key];
          return [own, { bytes, at: record.changedAt, key: own, record }] as const;
        }),
      );
      const sorted = ofRoles.length > 1 ? [...all.values()].sort(comparePlaces) : [...all.values()];
      found.push(...sorted.slice(0, limit));
    };
    // Changes of the same time are listed source by source, in the order of `sources`. At the time of the position, the sources before
    // its own are finished, and the sources after it have not begun.
    if (position && sourcesLater === 0 && hasRestOfInstant(position))
      await read({ changedAt: position.at, [key]: { $gt: position.key } });
    const isLater = position && { changedAt: { [sourcesLater > 0 ? '$gte' : '$gt']: position.at } };
    await read(allOf(isLater, { changedAt: { $lte: until }, [key]: { $gte: '' } }));
    return found.map(({ bytes, record, at, key: own }) => ({
      change: readable.has(collection, record) ? show(record as never) : null,
      position: { at, source: name, key: own },
      bytes: bytes.length,
    }));
  }
}

const msOf = ({ at }: Position): number => at.getTime();

/** Databases compare texts as UTF-8. */
const comparePlaces = (one: Pick<Position, 'at' | 'key'>, other: Pick<Position, 'at' | 'key'>): number =>
  one.at.getTime() - other.at.getTime() || Buffer.compare(Buffer.from(one.key), Buffer.from(other.key));
