import { type Complexity, countComplexity, rootComplexity } from '../fields/complexity.rules.js';
import { defaultPage, largestPage } from './page.js';

/** The complexity of each record that a page reads. */
export const recordComplexity = 8;

/**
 * The complexity of a list that compares conditions behind its index: it can look at thousands of entries before it has found a page of
 * matches.
 */
const searchComplexity = 10_000;

/** The complexity of a page within a record that is read together with the pages of the other records. */
export const batchedPage = 50;

/** The complexity of a list of records within a record: commands of its own for each of these records. */
export const nestedList = 800;

/** More than any bound allows, and so much less than `countMark` that no document adds up to one. */
const most = 1e7;

/**
 * The complexity of `totalCount`: a mark, larger than the complexity of any fields, that the list around it takes out again. Only the list
 * knows what the count costs, and that it costs this once and not for each record.
 */
export const countMark = 2 ** 40;

interface List {
  /** The complexity of the list without its records. */
  own?: number;
  /** The page size where `first` is null. */
  size?: number;
  /** Whether `totalCount` looks at the entries of an index one by one. Otherwise it costs what `batchedPage` does. */
  isCounted?: boolean;
  comparesBehind?: (args: never) => boolean;
}

/** The complexity of a field whose type is a connection. */
export const listComplexity =
  ({
    own = rootComplexity,
    size = defaultPage,
    isCounted = true,
    comparesBehind = () => false,
  }: List = {}): Complexity =>
  (field) => {
    const { args, childComplexity } = field;
    const ofRecord = childComplexity % countMark;
    // Any other page is refused.
    const records = Math.min(largestPage, Math.max(1, Number(args.first ?? size)));
    const count = () => (isCounted ? countComplexity(field, 1) : batchedPage);
    return Math.min(
      most,
      own +
        (comparesBehind(args as never) ? searchComplexity : 0) +
        (childComplexity < countMark ? 0 : count()) +
        (ofRecord > 0 ? records * (recordComplexity + ofRecord) : 0),
    );
  };
