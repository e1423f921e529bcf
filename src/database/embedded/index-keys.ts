import { isDocument, type BsonDocument } from './bson-document.js';
import { fieldOf } from './field-path.js';
import { ABSENT_KEY, NULL_KEY, sortKey } from './sort-key.js';
import { StoreError } from './store-error.js';

/** Where one field of an index stands while a document is walked. */
interface Step {
  value: unknown;
  /** What is left of the path. */
  parts: readonly string[];
  /** Whether an array was already opened at the end of the path; one inside it is then a value. */
  isElement: boolean;
}

/** Stands for the elements of an empty array. */
const EMPTY = Symbol('empty');
/** Stands for the value of an empty array itself, which MongoDB tells from null. */
const ABSENT = Symbol('absent');

/** The tuple of sort keys that a document has in an index, one for each indexed field. */
export type IndexKey = readonly string[];

/**
 * The keys a document has in an index over `paths`: one, or one for each element of an array on the way. A
 * missing field has the key of null; an empty array a key before it.
 * @throws StoreError CannotIndexParallelArrays when two fields lie in different arrays
 */
export function indexKeys(document: BsonDocument, paths: readonly (readonly string[])[]): IndexKey[] {
  return expand(paths.map((parts) => ({ value: document, parts, isElement: false })));
}

function expand(steps: readonly Step[]): IndexKey[] {
  const settled = steps.map(advance);
  const arrays = new Set(settled.filter(isOpenArray).map((step) => step.value));
  const [array] = arrays;
  if (array === undefined)
    return [settled.map(({ value }) => (value === ABSENT ? ABSENT_KEY : sortKey(value)))];
  if (arrays.size > 1) {
    throw new StoreError('CannotIndexParallelArrays', 'cannot index parallel arrays');
  }
  const elements: readonly unknown[] = array as unknown[];
  const keys = (elements.length === 0 ? [EMPTY] : elements).flatMap((element) =>
    expand(settled.map((step) => (step.value === array && isOpenArray(step) ? enter(step, element) : step))),
  );
  return keys.length === 1 ? keys : [...new Map(keys.map((key) => [key.join(''), key])).values()];
}

/** Follows a path to its end or to the next array that has to be opened. */
function advance(step: Step): Step {
  let { value, parts } = step;
  while (parts.length > 0 && typeof value !== 'symbol') {
    const [part = '', ...rest] = parts;
    if (Array.isArray(value)) break;
    value = fieldOf(value, part);
    parts = rest;
  }
  return { ...step, value, parts };
}

function isOpenArray(step: Step): boolean {
  return Array.isArray(step.value) && !(step.isElement && step.parts.length === 0);
}

function enter(step: Step, element: unknown): Step {
  if (step.parts.length === 0)
    return { ...step, value: element === EMPTY ? ABSENT : element, isElement: true };
  // Arrays directly inside arrays are not searched for fields, and scalars have none.
  return {
    ...step,
    value: isDocument(element) ? element : null,
    parts: isDocument(element) ? step.parts : [],
  };
}

/**
 * The key that a document sorts by: the least of the field's values when ascending, the greatest otherwise.
 */
export function documentSortKey(document: BsonDocument, parts: readonly string[], direction: 1 | -1): string {
  const direct = parts.length === 1 ? fieldOf(document, parts[0] ?? '') : undefined;
  if (direct !== undefined && !Array.isArray(direct)) return sortKey(direct);
  const keys = indexKeys(document, [parts]).map((key) => key[0] ?? NULL_KEY);
  return keys.reduce((best, key) => (key < best === (direction === 1) ? key : best));
}
