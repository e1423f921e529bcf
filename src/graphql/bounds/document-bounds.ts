/** What a document may ask for (Contract 8.4). Tokens are bounded by the parser. */
export interface DocumentBounds {
  /** Deepest nesting of fields, introspection apart. */
  depth: number;
  /** Aliases in the document. */
  aliases: number;
  /** Directives in the document. */
  directives: number;
  /** Fields that an operation would answer; those of a list's elements count once for each element. */
  complexity: number;
  /** UTF-16 units of its longest name: an alias is answered once for each node of a list. */
  nameLength: number;
}

/** An alias lets a caller ask for one field many times; a page of a front-end needs a handful. */
export const mostAliases = 15;

/** Twice what a document that uses the whole schema has. */
export const mostTokens = 1_000;

/** Directives cost time in validation and are of little use by the dozen. */
export const mostDirectives = 50;

/** Longer than the names that tools make. */
export const longestName = 128;

/** Entries that a list without a page size counts for. */
export const assumedListLength = 20;
