import { type RootFieldName } from '../operations.js';

interface Estimated {
  /** Coerced, with their defaults. */
  args: Readonly<Record<string, unknown>>;
  /** The complexity of the selected fields below. */
  childComplexity: number;
  /** Absent where only the schema is looked at. */
  context?: { noted?: Noted };
}

/**
 * The complexity of a field: a number is added to that of the selected fields below, a function returns the whole. TypeGraphQL keeps it
 * beside the field, and graphql-query-complexity adds up an operation. One stands for at most 3.75 µs of the gateway's main thread and of
 * the database, so the 40 000 that are allowed by default take at most 150 ms of either.
 */
export type Complexity = number | ((field: Estimated) => number);

/** Facts about an operation that its complexity does not show. */
export class Noted {
  readonly mutations: { field: RootFieldName; isDryRun: boolean }[] = [];
  /** How much less the dearest count of the operation costs, once. */
  discount = 0;
}

/** The complexity of a field that declares none. */
export const fieldComplexity = 0.5;

/** The complexity of a field of `Query` or `Mutation`: a command or two of the database, and what any call takes. */
export const rootComplexity = 500;

/** The complexity of a list without pages: it counts as long as most are. */
export const elements =
  (length: number, own = fieldComplexity) =>
  ({ childComplexity }: Estimated): number =>
    own + length * (fieldComplexity + childComplexity);

/**
 * The complexity of a count, which looks at up to 10 001 entries. The first of an operation is cheap, for a list with its tabs; the others
 * cost what they take, or a document could ask for minutes of counting.
 */
export function countComplexity({ context }: Estimated, counts: number): number {
  const { noted } = context ?? {};
  if (noted) noted.discount = Math.max(noted.discount, counts * (dearCount - cheapCount));
  return counts * dearCount;
}
const dearCount = 6_000;
const cheapCount = 1_000;
