import { encodeCursor, type Page, pageOf, PageRequest, pastMark } from '../paging/page.js';
import { type JobState, jobStates } from './job-choices.rules.js';
import { type JobFilter } from './job-list.rules.js';

/** The states besides `published` in a list by end, which shows them after the published jobs; empty if the list has only one part. */
export const statesAfterPublished = (
  { states, expiringBefore }: JobFilter,
  { sort }: PageRequest,
): JobState[] => {
  const all = states ?? jobStates;
  const isSplit = sort === 'expires_at_asc' && !expiringBefore && all.includes('published');
  return isSplit ? all.filter((state) => state !== 'published') : [];
};

/**
 * A page with published jobs first (Contract 4.4.12). The cursors of the others begin with a mark.
 * @param read reads a page of the jobs in these states, in the order of their ends
 */
export async function readPublishedFirst<Item>(
  request: PageRequest,
  others: readonly JobState[],
  read: (states: readonly JobState[], part: PageRequest) => Promise<Page<Item>>,
): Promise<Page<Item>> {
  const { after, first, budget } = request;
  const isPast = after?.startsWith(pastMark) ?? false;
  const partOf = (key: string | null, most: number) =>
    new PageRequest({ first: most, after: key && encodeCursor(key), sort: 'expires_at_asc' }, budget);
  const live = isPast
    ? pageOf<Item>([], request, () => '', false)
    : await read(['published'], partOf(after, first));
  if (live.pageInfo.hasNextPage) return live;
  const left = first - live.edges.length;
  // If the published jobs fill the page, look whether others follow.
  const part = partOf(isPast ? after!.slice(pastMark.length) : null, Math.max(left, 1));
  const rest = await read(others, part);
  const archived = rest.edges.slice(0, left).map(({ cursor, node }) => ({ cursor: marked(cursor), node }));
  const edges = [...live.edges, ...archived];
  const hasNextPage = rest.pageInfo.hasNextPage || archived.length < rest.edges.length;
  const end = left > 0 ? rest.pageInfo.endCursor : null;
  return {
    edges,
    pageInfo: {
      hasNextPage,
      hasPreviousPage: after !== null,
      startCursor: edges[0]?.cursor ?? null,
      endCursor:
        end !== null ? marked(end) : hasNextPage ? encodeCursor(pastMark) : (edges.at(-1)?.cursor ?? null),
    },
  };
}

const marked = (cursor: string): string =>
  encodeCursor(pastMark + Buffer.from(cursor, 'base64url').toString());
