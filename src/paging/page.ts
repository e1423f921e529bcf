import { DomainError } from '../errors/domain-error.js';
import { type FaultReason } from '../errors/catalogue.js';
import { fieldFault, type FieldFault, onArgument } from '../errors/field-fault.js';
import { type ReplyBudget } from './reply-budget.js';
import { type ListSort, type Order, orders, type Place, type Range, type SortKeys } from './order.rules.js';

export const defaultPage = 20;

export const largestPage = 100;

/** Counting takes time, and "more than 10 000" is enough for a caller. */
export const mostCounted = 10_001;

/** A Relay connection. */
export interface Page<Item> {
  /** 10 001 means more. Null if counting would look at too much of the list; absent if not asked for. */
  totalCount?: number | null;
  edges: { cursor: string; node: Item }[];
  pageInfo: {
    hasNextPage: boolean;
    hasPreviousPage: boolean;
    startCursor: string | null;
    endCursor: string | null;
  };
}

const reasons = {
  first: {
    en: `Enter a whole number from 1 to ${largestPage}.`,
    fr: `Saisissez un nombre entier de 1 à ${largestPage}.`,
    parameters: { minimum: 1, maximum: largestPage },
  },
  after: { en: 'Send a cursor of this list.', fr: 'Envoyez un curseur de cette liste.' },
};
const malformed = (name: keyof typeof reasons, reason?: FaultReason) =>
  onArgument(fieldFault.format(name, reasons[name], reason));

const ids = { en: 'ids', fr: 'identifiants' };

/** @param lists by the name of one id, such as `publicId`: the list has the plural */
export const tooManyIds = (
  lists: Readonly<Record<string, readonly string[] | null | undefined>>,
): FieldFault[] =>
  Object.entries(lists).flatMap(([name, listed]) =>
    listed && listed.length > largestPage
      ? [onArgument({ ...fieldFault.tooMany(name, largestPage, ids), path: ['filter', `${name}s`] })]
      : [],
  );

interface RequestedPage {
  first: number | null;
  after?: string | null | undefined;
}

/** @throws DomainError validation-failed if an argument is malformed */
export class PageRequest {
  readonly first: number;
  /** The content of the cursor before this page; null for the first page. */
  readonly after: string | null;

  /**
   * @param requested the fields of the page; default: its items
   * @param others faults of other arguments, reported together with those of the page
   * @param isPlaced false if `after` is not a cursor of this list
   */
  constructor(
    page: RequestedPage,
    readonly budget: ReplyBudget,
    private readonly requested?: Pick<ReadonlySet<string>, 'has'>,
    others: readonly FieldFault[] = [],
    isPlaced = true,
  ) {
    const faults = [...others];
    this.first = page.first ?? defaultPage;
    if (this.first > largestPage) faults.push(malformed('first', 'too_many'));
    else if (this.first < 1) faults.push(malformed('first'));
    this.after = contentOf(page.after);
    if (!isPlaced || (this.after !== null && encodeCursor(this.after) !== page.after))
      faults.push(malformed('after'));
    if (faults.length > 0) throw new DomainError('validation-failed', { faults });
  }

  /** For a list whose keys are numbers. @throws DomainError validation-failed if the key is not a number */
  afterNumber(): number | null {
    if (this.after === null) return null;
    if (/^\d{1,15}$/.test(this.after)) return Number(this.after);
    throw new DomainError('validation-failed', { faults: [malformed('after')] });
  }

  /**
   * Reads and counts only if asked for.
   * @param count may stop counting at `limit`. Returns null if it would have to look at too much of the list
   */
  async counted<Item>(
    read: () => Promise<Page<Item>>,
    count: (limit: number) => Promise<number | null>,
  ): Promise<Page<Item>> {
    const { requested } = this;
    const isRead = !requested || requested.has('edges') || requested.has('pageInfo');
    const reading = isRead ? read() : pageOf<Item>([], this, () => '', false);
    if (!requested?.has('totalCount')) return reading;
    const [page, total] = await Promise.all([reading, this.budget.inTurn(() => count(mostCounted))]);
    return { ...page, totalCount: total === null ? null : Math.min(total, mostCounted) };
  }
}

/** Opaque to callers, so the content can change. */
export const encodeCursor = (content: string | number): string =>
  Buffer.from(String(content)).toString('base64url');

/** Apollo Client sends an empty cursor after an empty page. */
const contentOf = (cursor: string | null | undefined): string | null =>
  cursor ? Buffer.from(cursor, 'base64url').toString() : null;

/** The cursors of a list by `publicIds` begin with this instead of an order. */
const byIds = 'publicIds';

interface RequestedList extends RequestedPage {
  sort?: ListSort | null | undefined;
  /** For a list by ids, which has their order. */
  ids?: readonly string[] | undefined;
}

/** A page of a list of records. Its cursors name the order of the list. */
export class ListRequest extends PageRequest {
  readonly sort: ListSort;
  readonly order: Order;
  /** The ranges of this and all later pages, in order. */
  readonly ranges: readonly Range[];
  /** For a list by ids: the ids of this and all later pages. */
  readonly ids: readonly string[] | undefined;

  /** @throws DomainError validation-failed if an argument is malformed, also for a cursor of another order */
  constructor(
    page: RequestedList,
    budget: ReplyBudget,
    requested?: Pick<ReadonlySet<string>, 'has'>,
    others?: readonly FieldFault[],
  ) {
    const sort = (!page.ids && page.sort) || 'public_id';
    const place = placeIn(page.after, page.ids ? byIds : sort);
    const ranges = place && orders[sort].rangesAfter(place.length > 0 ? place : undefined);
    const passed = page.ids && place ? page.ids.indexOf(String(place[0])) + 1 : 0;
    const isPlaced = ranges !== undefined && !(page.ids && page.after && passed === 0);
    super(page, budget, requested, others, isPlaced);
    this.sort = sort;
    this.order = orders[sort];
    this.ranges = ranges ?? [];
    this.ids = page.ids?.slice(passed);
  }

  contentAt = (place: Place): string => JSON.stringify([this.ids ? byIds : this.sort, ...place]);
}

/** Empty without a cursor; undefined if the cursor belongs to another order. */
function placeIn(cursor: string | null | undefined, order: string): Place | undefined {
  const content = contentOf(cursor);
  if (content === null) return [];
  try {
    const [name, ...place] = JSON.parse(content) as unknown[];
    return name === order && place.length > 0 ? place : undefined;
  } catch {
    return undefined;
  }
}

export interface Reading<Item> {
  /** The records from the start of the page, with one more than the page has if more follow. */
  read: () => AsyncIterable<readonly Uint8Array[]>;
  decode: (bytes: Uint8Array) => Item;
  /** The place up to which the list has looked, if more follows than `read` returns. */
  end: Place | null;
}

/**
 * The page ends early if the budget is used up, or once the list has looked at enough.
 * @param join reads what belongs to the items, as far as it fits into the budget. Returns the items that fit, in order
 */
export function readPage<Item extends SortKeys, Joined = Item>(
  { end, ...reading }: Reading<Item>,
  request: ListRequest,
  join: (items: readonly Item[]) => Promise<readonly Joined[]>,
): Promise<Page<Joined>> {
  return request.budget.enqueue(async () => {
    const { items, next, hasMore } = await readItems(reading, request);
    const joined = await join(items);
    const hasNextPage = hasMore || joined.length < items.length;
    const all = next ? [...items, next] : items;
    const contentOf = (item: Item, index: number) =>
      request.contentAt(request.order.placeAfter(item, all[index + 1]));
    const { edges, pageInfo } = pageOf(items.slice(0, joined.length), request, contentOf, hasNextPage);
    if (end && !hasNextPage)
      Object.assign(pageInfo, { hasNextPage: true, endCursor: encodeCursor(request.contentAt(end)) });
    return { pageInfo, edges: edges.map(({ cursor }, index) => ({ cursor, node: joined[index] as Joined })) };
  });
}

async function readItems<Item>(
  { read, decode }: Omit<Reading<Item>, 'end'>,
  { first, budget }: PageRequest,
): Promise<{ items: Item[]; next?: Item; hasMore: boolean }> {
  const items: Item[] = [];
  if (budget.left <= 0) return { items, hasMore: true };
  for await (const batch of read())
    for (const bytes of batch) {
      if (items.length === first) return { items, next: decode(bytes), hasMore: true };
      if (!budget.take(bytes.length)) return { items, hasMore: true };
      items.push(decode(bytes));
    }
  return { items, hasMore: false };
}

/** If the page is empty but more items follow, `endCursor` is the cursor that the page started from, so the client can retry. */
export function pageOf<Item>(
  items: readonly Item[],
  { after }: PageRequest,
  contentOf: (item: Item, index: number) => string | number,
  hasNextPage: boolean,
): Page<Item> {
  const edges = items.map((node, index) => ({ cursor: encodeCursor(contentOf(node, index)), node }));
  return {
    edges,
    pageInfo: {
      hasNextPage,
      hasPreviousPage: after !== null,
      startCursor: edges[0]?.cursor ?? null,
      endCursor: edges.at(-1)?.cursor ?? (hasNextPage && after !== null ? encodeCursor(after) : null),
    },
  };
}

export const mapPage = <Item, Other>(
  { edges, ...page }: Page<Item>,
  map: (item: Item) => Other,
): Page<Other> => ({ ...page, edges: edges.map(({ cursor, node }) => ({ cursor, node: map(node) })) });
