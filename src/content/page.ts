import { type AbstractCursor } from 'mongodb';
import { DomainError } from '../errors/domain-error.js';
import { fieldFault, onArgument } from '../errors/field-fault.js';
import { type AnswerBudget, decode } from './answer-budget.js';

/** The items of a page whose size is not given. */
export const defaultPage = 20;

/** The most items that a page may have. */
export const largestPage = 100;

/** A page of a list, as a Relay connection has it. */
export interface Page<Item> {
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

/** The page of a list that a caller asks for. @throws DomainError validation-failed if there can be no such page */
export class PageRequest {
  readonly first: number;
  /** The key of the last item before the page; null for the first page. */
  readonly after: string | null;

  /** @param budget bounds the records of the document */
  constructor(
    { first: given, after }: { first: number | null; after?: string | null | undefined },
    readonly budget: AnswerBudget,
  ) {
    const first = given ?? defaultPage;
    const faults = first >= 1 && first <= largestPage ? [] : [malformed('first')];
    this.first = first;
    // Apollo Client sends an empty cursor after an empty page.
    this.after = after ? Buffer.from(after, 'base64url').toString() : null;
    if (this.after !== null && encodeCursor(this.after) !== after) faults.push(malformed('after'));
    if (faults.length > 0) throw new DomainError('validation-failed', { faults });
  }

  /** The records from the page's beginning on, in a list by public id. */
  query(): Record<string, unknown> {
    return this.after === null ? {} : { publicId: { $gt: this.after } };
  }

  /** The same as `after` for a list whose keys are numbers. @throws DomainError validation-failed if it is no number */
  afterNumber(): number | null {
    if (this.after === null) return null;
    if (/^\d{1,15}$/.test(this.after)) return Number(this.after);
    throw new DomainError('validation-failed', { faults: [malformed('after')] });
  }
}

/** Cursors are opaque to callers, so that we may change the form of keys. */
const encodeCursor = (key: string | number): string => Buffer.from(String(key)).toString('base64url');

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
  { edges, pageInfo }: Page<Item>,
  map: (item: Item) => Other,
): Page<Other> => ({ edges: edges.map(({ cursor, node }) => ({ cursor, node: map(node) })), pageInfo });
