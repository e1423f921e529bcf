/** What a document may ask for (Contract 8.4). Tokens are bounded by the parser. */
export interface DocumentBounds {
  /** Deepest nesting of fields, introspection apart. */
  depth: number;
  /** Aliases in the document. */
  aliases: number;
  /** Directives in the document. */
  directives: number;
  /** Fields that an operation would answer, those of list elements counted by the length of their lists. */
  complexity: number;
  /** UTF-16 units of its longest name: an alias is answered once for each node of a list. */
  nameLength: number;
}

/** Longer than the names that tools make. */
export const longestName = 128;

/** Entries that a list without a page size counts for. */
export const assumedListLength = 20;

/** Entries of the longest page: what a page size counts for that only the variables tell. */
export const largestPage = 100;
