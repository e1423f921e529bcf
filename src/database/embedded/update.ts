import { isDocument, type BsonDocument } from './bson-document.js';
import { splitPath } from './field-path.js';
import { compileFilter, type Filter } from './filter.js';
import { sortKey } from './sort-key.js';
import { StoreError } from './store-error.js';
import { compileUpdatePipeline } from './update-pipeline.js';
import { updateOperators } from './update-operators.js';
import { changeAt, child, concretePaths, type ElementChoice, removeAt } from './update-path.js';

/** Changes a document. What it is given stays as it is. */
export type Update = (document: BsonDocument, target: UpdateTarget) => BsonDocument;

export interface UpdateTarget {
  /** Whether the document is about to be inserted by an upsert. */
  isInsert: boolean;
  matchedPosition: ElementChoice['matchedPosition'];
}

interface Modification {
  path: string;
  parts: readonly string[];
  operator: string;
  apply: (document: BsonDocument, parts: readonly string[]) => void;
}

/**
 * Compiles an update: operators, a pipeline, or a document that replaces the old one.
 * @throws StoreError for an update that MongoDB refuses whatever the document
 */
export function compileUpdate(update: unknown, arrayFilters: unknown, variables: BsonDocument): Update {
  const apply = Array.isArray(update)
    ? compileUpdatePipeline(update, variables)
    : isReplacement(update)
      ? (old: BsonDocument) => ('_id' in old ? { _id: old._id, ...update } : update)
      : compileModifiers(update as BsonDocument, arrayFilters);
  return (document, target) => {
    const changed = apply(document, target);
    if (sortKey(changed._id) !== sortKey(document._id) && document._id !== undefined) {
      throw new StoreError(
        'ImmutableField',
        "Performing an update on the path '_id' would modify the immutable field '_id'",
      );
    }
    return changed;
  };
}

/** Whether an update is a document to put in the place of the old one. */
export function isReplacement(update: unknown): update is BsonDocument {
  if (Array.isArray(update)) return false;
  if (!isDocument(update)) throw new StoreError('FailedToParse', 'an update must be an object or an array');
  return Object.keys(update)[0]?.startsWith('$') !== true;
}

function compileModifiers(update: BsonDocument, arrayFilters: unknown): Update {
  const modifications = Object.entries(update).flatMap(([operator, fields]) =>
    modificationsOf(operator, fields),
  );
  // MongoDB applies an update in the order of its paths, which is the order that new fields get.
  modifications.sort((a, b) => (a.path < b.path ? -1 : 1));
  assertNoConflict(modifications);
  const filters = parseArrayFilters(arrayFilters);
  const unused = [...filters.keys()].find(
    (name) => !modifications.some(({ parts }) => parts.includes(`$[${name}]`)),
  );
  if (unused !== undefined) {
    throw new StoreError(
      'FailedToParse',
      `The array filter for identifier '${unused}' was not used in the update`,
    );
  }
  return (document, { isInsert, matchedPosition }) => {
    const changed = structuredCopy(document);
    for (const { operator, parts, apply } of modifications) {
      if (operator === '$setOnInsert' && !isInsert) continue;
      for (const path of concretePaths(changed, parts, { matchedPosition, arrayFilters: filters })) {
        apply(changed, path);
      }
    }
    return changed;
  };
}

function modificationsOf(operator: string, fields: unknown): Modification[] {
  const known = updateOperators[operator];
  if (known === undefined && operator !== '$unset' && operator !== '$rename') {
    const expected = 'Expected a valid update modifier or pipeline-style update specified as an array';
    throw new StoreError('FailedToParse', `Unknown modifier: ${operator}. ${expected}`);
  }
  if (!isDocument(fields)) {
    throw new StoreError(
      'FailedToParse',
      `Modifiers operate on fields but we found another type for ${operator}`,
    );
  }
  return Object.entries(fields).flatMap(([path, operand]): Modification[] => {
    const parts = splitPath(path);
    if (operator === '$unset') return [{ path, parts, operator, apply: removeAt }];
    if (known === undefined) return renaming(path, parts, operand);
    const change = known.compile(operand, path);
    return [
      { path, parts, operator, apply: (document, at) => changeAt(document, at, known.creates, change) },
    ];
  });
}

/** `$rename` is one modification of each of its two paths, so that both take part in the conflict check. */
function renaming(path: string, parts: readonly string[], target: unknown): Modification[] {
  if (typeof target !== 'string')
    throw new StoreError('BadValue', "The 'to' field for $rename must be a string");
  if (target === path) {
    throw new StoreError(
      'BadValue',
      `The source and target field for $rename must differ: ${path}: "${target}"`,
    );
  }
  const targetParts = splitPath(target);
  const apply = (document: BsonDocument) => {
    for (const walked of [parts, targetParts]) {
      for (let depth = 1; depth < walked.length; depth++) {
        const passed = walked.slice(0, depth).reduce<unknown>(child, document);
        if (Array.isArray(passed)) {
          throw new StoreError(
            'BadValue',
            'The source or target field of $rename cannot be an array element',
          );
        }
        if (passed !== undefined && !isDocument(passed)) {
          throw new StoreError(
            'PathNotViable',
            `Cannot use a part of '${walked.join('.')}' to traverse a scalar`,
          );
        }
      }
    }
    const value = parts.reduce<unknown>(child, document);
    if (value === undefined) return;
    removeAt(document, parts);
    changeAt(document, targetParts, true, () => value);
  };
  return [
    { path, parts, operator: '$rename', apply },
    { path: target, parts: targetParts, operator: '$rename', apply: () => undefined },
  ];
}

function assertNoConflict(modifications: readonly Modification[]): void {
  const paths = new Set<string>();
  for (const { path, parts } of modifications) {
    const prefix = parts
      .map((_, index) => parts.slice(0, index + 1).join('.'))
      .find((part) => paths.has(part));
    if (prefix !== undefined) {
      throw new StoreError(
        'ConflictingUpdateOperators',
        `Updating the path '${path}' would create a conflict at '${prefix}'`,
      );
    }
    paths.add(path);
  }
}

function parseArrayFilters(arrayFilters: unknown): Map<string, Filter> {
  const filters = new Map<string, Filter>();
  for (const filter of (arrayFilters ?? []) as BsonDocument[]) {
    const names = new Set(filterPaths(filter).map((path) => path.split('.')[0] ?? ''));
    const [name] = names;
    if (name === undefined || names.size > 1 || filters.has(name)) {
      throw new StoreError('FailedToParse', 'Each array filter must use one identifier of its own');
    }
    filters.set(name, compileFilter(filter));
  }
  return filters;
}

function filterPaths(filter: BsonDocument): string[] {
  return Object.entries(filter).flatMap(([name, operand]) =>
    name.startsWith('$') ? (operand as BsonDocument[]).flatMap(filterPaths) : [name],
  );
}

/** A copy whose documents and arrays may be changed. Dates, ObjectIds and binaries are never changed in place. */
function structuredCopy<T>(value: T): T {
  if (Array.isArray(value)) return value.map(structuredCopy) as T;
  if (!isDocument(value)) return value;
  const copy: BsonDocument = {};
  for (const name of Object.keys(value)) copy[name] = structuredCopy(value[name]);
  return copy as T;
}
