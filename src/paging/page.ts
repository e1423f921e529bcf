import { type AbstractCursor } from 'mongodb';
import { DomainError } from '../errors/domain-error.js';
import { type FaultReason } from '../errors/catalogue.js';
import { fieldFault, type FieldFault, onArgument } from '../errors/field-fault.js';
import { type AnswerBudget } from './answer-budget.js';
import { type Query } from './query.rules.js';

export const defaultPage = 20;

export const largestPage = 100;

/** Counting takes time, and "more than 10 000" is enough for a caller. */
const mostCounted = 10_000;

/** A Relay connection. */
export interface Page<Item> {
  /** Null above 10 000, absent if not asked for. */
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
    en: `a whole number from 1 to ${largestPage}`,
    fr: `un nombre entier de 1 à ${largestPage}`,
    parameters: { minimum: 1, maximum: largestPage },
  },
  after: { en: 'a cursor of this list', fr: 'un curseur de cette liste' },
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

/** The fields that a list can be sorted by. */
export interface SortKeys extends Partial<Record<InstantPath, Date | null>> {
  publicId: string;
}
type InstantPath = 'changedAt' | 'publishedAt' | 'expiresAt';

/**
 * `compare` is for records that the gateway itself sorts. `keyOf` returns the cursor key of a record. `after` returns the queries for the
 * records after a key, in order, or undefined if the key is malformed.
 */
export interface Order {
  compare: (one: SortKeys, other: SortKeys) => number;
  sort: Record<string, 1 | -1>;
  keyOf: (record: SortKeys) => string;
  after: (key: string) => Query[] | undefined;
}

const [firstText, lastText] = ['\0', '\u{10ffff}'];
const latestMs = 8.64e15;
const anyInstant = { $gte: new Date(-latestMs) };

/** Where a public id stands among texts. In a damaged record, it can be a value that databases sort before or after all texts. */
export function textOf(publicId: unknown): string {
  const [first] = [publicId].flat();
  if (typeof first === 'string') return first;
  return first == null || typeof first === 'number' ? firstText : lastText;
}

/** Null if the instant stands between dates and nulls: in a damaged record, it can be any value. */
function msOf(instant: object): number | null {
  if (instant instanceof RegExp || (instant as { _bsontype?: string })._bsontype === 'Timestamp')
    return latestMs;
  const ms = instant instanceof Date ? instant.getTime() : NaN;
  return Number.isNaN(ms) ? null : ms;
}

/** Databases compare texts as UTF-8. */
const comparePublicIds = (one: SortKeys, other: SortKeys): number =>
  Buffer.compare(Buffer.from(textOf(one.publicId)), Buffer.from(textOf(other.publicId)));

/** Databases put records without the instant first in ascending order, and last in descending order. */
function byInstant(path: InstantPath, direction: 1 | -1): Order {
  const beyond = direction === 1 ? '$gt' : '$lt';
  const rank = ({ [path]: instant }: SortKeys) =>
    instant instanceof Date ? instant.getTime() : -latestMs - 1;
  return {
    compare: (one, other) => direction * (rank(one) - rank(other) || comparePublicIds(one, other)),
    sort: { [path]: direction, publicId: direction },
    keyOf: ({ [path]: stored, publicId }) => {
      const [instant] = [stored].flat();
      if (instant == null) return ` ${textOf(publicId)}`;
      const ms = msOf(instant);
      return ms === null ? ` ${lastText}` : `${ms} ${textOf(publicId)}`;
    },
    after: (key) => {
      const [, ms, publicId] = /^(-?\d{1,16}|) (.+)$/.exec(key) ?? [];
      if (publicId === undefined) return undefined;
      const sameInstant = { [path]: ms ? new Date(Number(ms)) : null, publicId: { [beyond]: publicId } };
      if (!ms) return [sameInstant, ...(direction === 1 ? [{ [path]: anyInstant }] : [])];
      const instant = sameInstant[path] as Date;
      if (Number.isNaN(instant.getTime())) return undefined;
      const others = [{ [path]: { [beyond]: instant } }, ...(direction === 1 ? [] : [{ [path]: null }])];
      return [sameInstant, ...others];
    },
  };
}

/** Begins the keys of the jobs that follow the published ones in a list by end. Alone, it is the key before the first of them. */
export const pastMark = '+';

const byEnd = byInstant('expiresAt', 1);

export const orders = {
  public_id: {
    compare: comparePublicIds,
    sort: { publicId: 1 },
    keyOf: ({ publicId }) => textOf(publicId),
    after: (key) => [{ publicId: { $gt: key } }],
  },
  updated_at_desc: byInstant('changedAt', -1),
  published_at_desc: byInstant('publishedAt', -1),
  expires_at_asc: {
    ...byEnd,
    after: (key) => {
      const own = key.startsWith(pastMark) ? key.slice(pastMark.length) : key;
      return own === '' ? [{}] : byEnd.after(own);
    },
  },
} satisfies Record<string, Order>;

export type ListSort = keyof typeof orders;

/** @throws DomainError validation-failed if an argument is malformed */
export class PageRequest {
  readonly first: number;
  /** The key of the item before this page; null for the first page. */
  readonly after: string | null;
  readonly sort: ListSort;
  readonly order: Order;
  /** Match the records of this and all later pages, in order. */
  readonly queries: readonly Query[];
  /** For a list by ids, which has their order: those of this and all later pages. */
  readonly ids: readonly string[] | undefined;

  /**
   * @param requested the fields of the page; default: its items
   * @param others faults of other arguments, reported together with those of the page
   */
  constructor(
    page: {
      first: number | null;
      after?: string | null | undefined;
      sort?: ListSort | null | undefined;
      ids?: readonly string[] | undefined;
    },
    readonly budget: AnswerBudget,
    private readonly requested?: Pick<ReadonlySet<string>, 'has'>,
    others: readonly FieldFault[] = [],
  ) {
    const faults = [...others];
    this.first = page.first ?? defaultPage;
    if (this.first > largestPage) faults.push(malformed('first', 'too_many'));
    else if (this.first < 1) faults.push(malformed('first'));
    this.sort = (!page.ids && page.sort) || 'public_id';
    this.order = orders[this.sort];
    // Apollo Client sends an empty cursor after an empty page.
    this.after = page.after ? Buffer.from(page.after, 'base64url').toString() : null;
    const place = page.ids && this.after !== null ? page.ids.indexOf(this.after) : undefined;
    const queries = this.after === null ? [{}] : this.order.after(this.after);
    if (!queries || place === -1 || (this.after !== null && encodeCursor(this.after) !== page.after))
      faults.push(malformed('after'));
    if (faults.length > 0) throw new DomainError('validation-failed', { faults });
    this.queries = queries ?? [];
    this.ids = page.ids?.slice(place === undefined ? 0 : place + 1);
  }

  get query(): Query {
    const [one = {}, ...others] = this.queries;
    return others.length > 0 ? { $or: this.queries } : one;
  }

  /** For a list whose keys are numbers. @throws DomainError validation-failed if the key is not a number */
  afterNumber(): number | null {
    if (this.after === null) return null;
    if (/^\d{1,15}$/.test(this.after)) return Number(this.after);
    throw new DomainError('validation-failed', { faults: [malformed('after')] });
  }

  /**
   * Reads and counts only if asked for.
   * @param count must stop counting at `limit`. Returns null if it would have to look at too much of the list
   */
  async counted<Item>(
    read: () => Promise<Page<Item>>,
    count: (limit: number) => Promise<number | null>,
  ): Promise<Page<Item>> {
    const { requested } = this;
    const isRead = !requested || requested.has('edges') || requested.has('pageInfo');
    const reading = isRead ? read() : pageOf<Item>([], this, () => '', false);
    if (!requested?.has('totalCount')) return reading;
    const [page, total] = await Promise.all([reading, this.budget.inTurn(() => count(mostCounted + 1))]);
    return { ...page, totalCount: total === null || total > mostCounted ? null : total };
  }
}

/** Opaque to callers, so the format of keys can change. */
export const encodeCursor = (key: string | number): string => Buffer.from(String(key)).toString('base64url');

export interface Reading<Item> {
  /** Reads the list from the start of the page, with one item more than the page has or with `last` if more follow. */
  read: () => Promise<AbstractCursor<Uint8Array>>;
  decode: (bytes: Uint8Array) => Item;
  /** If more follow than `read` returns: the record after which the next page begins. It needn't be on this page. */
  last: SortKeys | null;
}

/**
 * The page ends early if the budget is used up, or once the list has looked at enough.
 * @param join reads what belongs to the items, as far as it fits into the budget. Returns the items that fit, in order
 */
export function readPage<Item extends SortKeys, Joined = Item>(
  { last, ...reading }: Reading<Item>,
  request: PageRequest,
  join: (items: readonly Item[]) => Promise<readonly Joined[]>,
): Promise<Page<Joined>> {
  return request.budget.enqueue(async () => {
    const { items: read, hasMore } = await readItems(reading, request);
    const joined = await join(read);
    const hasNextPage = hasMore || joined.length < read.length;
    const { keyOf } = request.order;
    const { edges, pageInfo } = pageOf(read.slice(0, joined.length), request, keyOf, hasNextPage);
    if (last && !hasNextPage)
      Object.assign(pageInfo, { hasNextPage: true, endCursor: encodeCursor(keyOf(last)) });
    return { pageInfo, edges: edges.map(({ cursor }, index) => ({ cursor, node: joined[index] as Joined })) };
  });
}

async function readItems<Item>(
  { read: readFirst, decode }: Omit<Reading<Item>, 'last'>,
  { first, budget }: PageRequest,
) {
  const read: Item[] = [];
  if (budget.left <= 0) return { items: read, hasMore: true };
  const items = await readFirst();
  try {
    let bytes = await items.next();
    while (bytes !== null) {
      if (read.length === first || !budget.take(bytes.length)) return { items: read, hasMore: true };
      read.push(decode(bytes));
      // Don't await an item that the driver has already buffered.
      bytes = items.readBufferedDocuments(1)[0] ?? (await items.next());
    }
    return { items: read, hasMore: false };
  } finally {
    await items.close();
  }
}

/** If the page is empty but more items follow, `endCursor` is the cursor that the page started from, so the client can retry. */
export function pageOf<Item>(
  items: readonly Item[],
  { after }: PageRequest,
  keyOf: (item: Item) => string | number,
  hasNextPage: boolean,
): Page<Item> {
  const edges = items.map((node) => ({ cursor: encodeCursor(keyOf(node)), node }));
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
