import { type AbstractCursor } from 'mongodb';
import { DomainError } from '../errors/domain-error.js';
import { fieldFault, onArgument } from '../errors/field-fault.js';
import { type AnswerBudget } from './answer-budget.js';

/** Most items that a page may have. */
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

/** Which page of a list is asked for. @throws DomainError validation-failed when it cannot be one */
export class PageRequest {
  readonly first: number;
  /** The key that the page follows. */
  readonly after: string | null;

  /** @param budget what the records of the document may still have */
  constructor(
    { first, after }: { first: number; after?: string | null | undefined },
    readonly budget: AnswerBudget,
  ) {
    const faults =
      first >= 1 && first <= largestPage ? [] : [onArgument(fieldFault.format('first', reasons.first))];
    this.first = first;
    this.after = after == null ? null : Buffer.from(after, 'base64url').toString();
    if (this.after !== null && encodeCursor(this.after) !== after)
      faults.push(onArgument(fieldFault.format('after', reasons.after)));
    if (faults.length > 0) throw new DomainError('validation-failed', { faults });
  }

  /** What may follow the page's beginning in a list sorted by a text. */
  query(field: string): Record<string, unknown> {
    return this.after === null ? {} : { [field]: { $gt: this.after } };
  }

  get isContinued(): boolean {
    return this.after !== null;
  }

  /** The number after which the page begins, in a list whose keys are numbers; null for the first page. */
  afterNumber(): number | null {
    if (this.after === null) return null;
    if (/^\d{1,15}$/.test(this.after)) return Number(this.after);
    throw new DomainError('validation-failed', {
      faults: [onArgument(fieldFault.format('after', reasons.after))],
    });
  }
}

/** Cursors are opaque to callers, so that keys may change their form. */
const encodeCursor = (key: string | number): string => Buffer.from(String(key)).toString('base64url');

/**
 * The page of items that are read from its beginning on, at least one more than fit if there are more. They are read only
 * as far as the page goes: it ends early where the budget does (Contract 4.4.6, 8.4.8).
 */
export function readPage<Item>(
  items: AbstractCursor<Item>,
  request: PageRequest,
  keyOf: (item: Item) => string | number,
): Promise<Page<Item>> {
  return request.budget.inTurn(async () => {
    const read: Item[] = [];
    if (request.budget.isSpent) return pageOf(read, request, keyOf, true);
    try {
      let item: Item | null = await items.next();
      while (item !== null) {
        if (read.length === request.first || !request.budget.take(item))
          return pageOf(read, request, keyOf, true);
        read.push(item);
        // What has come already is taken without a promise of its own.
        item = items.readBufferedDocuments(1)[0] ?? (await items.next());
      }
      return pageOf(read, request, keyOf, false);
    } finally {
      await items.close();
    }
  });
}

/** An empty page that has a next one ends where it began, so that the caller who follows its cursor asks again. */
export function pageOf<Item>(
  items: readonly Item[],
  { isContinued, after }: PageRequest,
  keyOf: (item: Item) => string | number,
  hasNextPage: boolean,
): Page<Item> {
  const edges = items.map((node) => ({ cursor: encodeCursor(keyOf(node)), node }));
  return {
    edges,
    pageInfo: {
      hasNextPage,
      hasPreviousPage: isContinued,
      startCursor: edges[0]?.cursor ?? null,
      endCursor: edges.at(-1)?.cursor ?? (hasNextPage && after !== null ? encodeCursor(after) : null),
    },
  };
}

/** The same page of something else. */
export const mapPage = <Item, Other>(
  { edges, pageInfo }: Page<Item>,
  map: (item: Item) => Other,
): Page<Other> => ({ edges: edges.map(({ cursor, node }) => ({ cursor, node: map(node) })), pageInfo });
