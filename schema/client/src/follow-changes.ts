import { type ApolloClient } from '@apollo/client';
import { firstValueFrom, fromEvent, NEVER, race, timer } from 'rxjs';
import { ChangesDocument, type ChangesQuery } from './documents/graphql.js';
import { waitBeforeRetry } from './wait-before-retry.js';

/** The current state of a record that changed. `gone` means: delete your copy. */
export type Change = NonNullable<ChangesQuery['changes']>['edges'][number]['node'];

export interface ChangePage {
  changes: Change[];
  /** The cursor to continue from once you have applied the changes. Null only while the media has no records. */
  after: string | null;
}

export interface FollowOptions {
  /** Public id of the media. */
  media: string;
  /** The `after` of the last page that you applied; null or left out to begin with all records. */
  after?: string | null | undefined;
  /** Changes per page, 1 to 100; default 100. */
  first?: number;
  /** Seconds to wait when there are no more changes; default 5. */
  idleSeconds?: number;
  /** Ends the iteration, even while it waits. */
  signal?: AbortSignal | undefined;
}

/**
 * Yields pages of changes without end. Apply a page and store its `after`, best in one transaction. If you start again with the
 * stored `after`, you miss no change, but may see a change twice. A cursor expires after 30 days; while nothing changes, an empty
 * page brings a new cursor about once a day.
 *
 * Waits and retries if the gateway is busy or cannot be reached, or if the quota is spent. With `gatewayLink`, the first call fails if it
 * cannot connect.
 * @throws any other failure. If the cursor has expired, delete the copy and start again without `after`
 */
export async function* followChanges(
  client: ApolloClient,
  { media, after = null, first = 100, idleSeconds = 5, signal }: FollowOptions,
): AsyncGenerator<ChangePage, void, undefined> {
  let cursor = after;
  for (let tries = 1; !signal?.aborted; tries += 1) {
    let waitMs = 0;
    const { data } = await client
      .query({
        query: ChangesDocument,
        variables: { mediaPublicId: media, first, after: cursor },
        fetchPolicy: 'no-cache',
        errorPolicy: 'none',
        context: { fetchOptions: { signal } },
      })
      .catch((failure: unknown) => {
        const toldMs = waitBeforeRetry(failure, tries);
        if (toldMs === null && !signal?.aborted) throw failure;
        waitMs = toldMs ?? 0;
        return { data: undefined };
      });
    if (data?.changes) {
      tries = 0;
      const { edges, pageInfo } = data.changes;
      const last = cursor;
      cursor = pageInfo.endCursor ?? cursor;
      if (edges.length > 0 || cursor !== last)
        yield { changes: edges.map(({ node }) => node), after: cursor };
      if (!pageInfo.hasNextPage) waitMs = idleSeconds * 1_000;
    }
    if (waitMs > 0 && !signal?.aborted)
      await firstValueFrom(race(timer(waitMs), signal ? fromEvent(signal, 'abort') : NEVER));
  }
}
