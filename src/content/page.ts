import { type AbstractCursor } from 'mongodb';
import { DomainError } from '../errors/domain-error.js';
import { fieldFault, type FieldFault, onArgument } from '../errors/field-fault.js';
import { type AnswerBudget, decode } from './answer-budget.js';
import { type Asked } from './asked-fields.js';

/** The items of a page whose size is not given. */
export const defaultPage = 20;

/** The most items that a page may have. */
export const largestPage = 100;

/** Lists are counted so far: a caller who is shown "more than 10 000" has no use for more, and counting takes time. */
const mostCounted = 10_000;

/** A page of a list, as a Relay connection has it. */
export interface Page<Item> {
  /** How many items the whole list has; null past 10 000, absent where nobody asked. */
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
  first: { en: `a whole number from 1 to ${largestPage}`, fr: `un nombre entier de 1 à ${largestPage}` },
  after: { en: 'a cursor of this list', fr: 'un curseur de cette liste' },
};
const malformed = (name: keyof typeof reasons) => onArgument(fieldFault.format(name, reasons[name]));

type Query = Record<string, unknown>;

/** What the orders of lists need of a record. */
interface Listed {
  publicId: string;
  changedAt?: Date;
}

/** An order of a list: `sort` for the database, the key of a record in it, and what comes after a key; undefined if it is none. */
export interface Order {
  sort: Record<string, 1 | -1>;
  keyOf: (record: Listed) => string;
  after: (key: string) => Query | undefined;
}

const orders = {
  public_id: {
    sort: { publicId: 1 },
    keyOf: ({ publicId }) => publicId,
    after: (key) => ({ publicId: { $gt: key } }),
  },
  updated_at_desc: {
    sort: { changedAt: -1, publicId: -1 },
    keyOf: ({ changedAt, publicId }) => `${changedAt?.getTime() ?? ''} ${publicId}`,
    after: (key) => {
      const [, ms, publicId] = /^(\d{0,15}) (.+)$/.exec(key) ?? [];
      if (publicId === undefined) return undefined;
      // A record that lacks the instant comes last, as databases sort it.
      if (!ms) return { changedAt: null, publicId: { $lt: publicId } };
      const changedAt = new Date(Number(ms));
      return {
        $or: [
          { changedAt: { $lt: changedAt } },
          { changedAt, publicId: { $lt: publicId } },
          { changedAt: null },
        ],
      };
    },
  },
} satisfies Record<string, Order>;

export type ListSort = keyof typeof orders;

/** The page of a list that a caller asks for. @throws DomainError validation-failed if there can be no such page */
export class PageRequest {
  readonly first: number;
  /** The key of the last item before the page; null for the first page. */
  readonly after: string | null;
  readonly order: Order;
  /** The records from the page's beginning on. */
  readonly query: Query;

  /**
   * @param budget bounds the records of the document
   * @param asked what is asked of the page: its total count is counted only for whoever asks for it
   * @param readFaults other faults of the call, told together with those of the page
   */
  constructor(
    given: { first: number | null; after?: string | null | undefined; sort?: ListSort | null | undefined },
    readonly budget: AnswerBudget,
    private readonly asked?: Asked,
    readFaults: readonly FieldFault[] = [],
  ) {
    const faults = [...readFaults];
    this.first = given.first ?? defaultPage;
    if (this.first < 1 || this.first > largestPage) faults.push(malformed('first'));
    this.order = orders[given.sort ?? 'public_id'];
    // Apollo Client sends an empty cursor after an empty page.
    this.after = given.after ? Buffer.from(given.after, 'base64url').toString() : null;
    const query = this.after === null ? {} : this.order.after(this.after);
    if (!query || (this.after !== null && encodeCursor(this.after) !== given.after))
      faults.push(malformed('after'));
    if (faults.length > 0) throw new DomainError('validation-failed', { faults });
    this.query = query ?? {};
  }

  /** The same as `after` for a list whose keys are numbers. @throws DomainError validation-failed if it is no number */
  afterNumber(): number | null {
    if (this.after === null) return null;
    if (/^\d{1,15}$/.test(this.after)) return Number(this.after);
    throw new DomainError('validation-failed', { faults: [malformed('after')] });
  }

  /** The page with the number of items in its list, if that is asked for. @param count counts no further than `limit` */
  async counted<Item>(
    reading: Promise<Page<Item>>,
    count: (limit: number) => Promise<number>,
  ): Promise<Page<Item>> {
    if (!this.asked?.has('totalCount')) return reading;
    const [page, total] = await Promise.all([reading, count(mostCounted + 1)]);
    return { ...page, totalCount: total > mostCounted ? null : total };
  }
}

/** Cursors are opaque to callers, so that we may change the form of keys. */
export const encodeCursor = (key: string | number): string => Buffer.from(String(key)).toString('base64url');

/**
 * Reads a page, and no more of the list than that takes. It ends early if the budget is used up (Contract 4.4.6, 8.4.8).
 * @param items the list from the page's beginning on, as bytes, with one item past the page if there is one: that tells of a next page
 */
export function readPage<Item>(
  items: AbstractCursor<Uint8Array>,
  request: PageRequest,
  keyOf: (item: Item) => string | number,
): Promise<Page<Item>> {
  return request.budget.enqueue(async () => {
    const read: Item[] = [];
    if (request.budget.left <= 0) return pageOf(read, request, keyOf, true);
    try {
      let bytes = await items.next();
      while (bytes !== null) {
        if (read.length === request.first || !request.budget.take(bytes.length))
          return pageOf(read, request, keyOf, true);
        read.push(decode(bytes));
        // Items that the driver has received already cost no promise each.
        bytes = items.readBufferedDocuments(1)[0] ?? (await items.next());
      }
      return pageOf(read, request, keyOf, false);
    } finally {
      await items.close();
    }
  });
}

/** If a page is empty although there are more items, its end cursor is where it began: whoever follows it asks again. */
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

/** The page with each item mapped to another. */
export const mapPage = <Item, Other>(
  { edges, ...page }: Page<Item>,
  map: (item: Item) => Other,
): Page<Other> => ({ ...page, edges: edges.map(({ cursor, node }) => ({ cursor, node: map(node) })) });
