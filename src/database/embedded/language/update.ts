import { ObjectId } from 'bson';
import { hasOperator, isDocument, named, typeName, type BsonDocument } from '../values/document.js';
import { assertApart, splitPath } from '../values/field-path.js';
import { sortKey } from '../values/sort-key.js';
import { assert, notSupported, StoreError, unknown } from '../values/store-error.js';
import { changeAt } from './change-at.js';
import { documentStages, readStage } from './document-stages.js';
import { exactly } from './expression.js';
import { compileCondition, compileFilter, equalityOf, equals } from './filter.js';

/** Returns a changed copy. `isInsert` means that an upsert will insert the copy. */
type Update = (document: BsonDocument, isInsert: boolean) => BsonDocument;

/** @throws StoreError for an update that MongoDB rejects whatever the document */
export function compileUpdate(update: unknown): Update {
  const apply: Update = Array.isArray(update)
    ? compilePipeline(update)
    : isReplacement(update)
      ? (old) => ('_id' in old ? { _id: old._id, ...update } : update)
      : compileModifiers(update as BsonDocument);
  return (document, isInsert) => {
    const changed = apply(document, isInsert);
    const isSame = document._id === undefined || sortKey(changed._id) === sortKey(document._id);
    assert(isSame, 'ImmutableField', "the update would modify the immutable field '_id'");
    return changed;
  };
}

export function isReplacement(update: unknown): update is BsonDocument {
  if (Array.isArray(update)) return false;
  assert(isDocument(update), 'FailedToParse', 'an update must be an object or an array');
  return Object.keys(update)[0]?.startsWith('$') !== true;
}

function compilePipeline(pipeline: readonly unknown[]): Update {
  const stages = pipeline.map((stage) => {
    const [name, operand] = readStage(stage);
    const compile = documentStages.get(name);
    if (compile !== undefined) return compile(operand);
    throw unknown('InvalidOptions', `${name} is not allowed to be used within an update`);
  });
  return (document) => {
    const changed = stages.reduce((result, stage) => stage(result), document);
    return '_id' in document && !('_id' in changed) ? { _id: document._id, ...changed } : changed;
  };
}

function compileModifiers(update: BsonDocument): Update {
  const modifications = Object.entries(update).flatMap((entry) => readModifier(...entry));
  // MongoDB applies modifiers, and adds new fields, in the order of the paths.
  modifications.sort((a, b) => (a.path < b.path ? -1 : 1));
  const paths = modifications.map(({ path }) => path);
  assertApart(paths, (path) => {
    const message = `Updating the path '${path}' would create a conflict`;
    return new StoreError('ConflictingUpdateOperators', message);
  });
  return (document, isInsert) =>
    modifications.reduce((changed, { parts, operator, change }) => {
      if (operator === '$setOnInsert' && !isInsert) return changed;
      return changeAt(changed, parts, operator !== '$unset' && operator !== '$pull', change);
    }, document);
}

function readModifier(operator: string, fields: unknown) {
  const compile = modifiers.get(operator);
  if (compile === undefined) throw unknown('FailedToParse', `Unknown modifier: ${operator}`);
  assert(isDocument(fields), 'FailedToParse', `The operand of ${operator} must be a document of fields`);
  return Object.entries(fields).map(([path, operand]) => {
    const parts = splitPath(path);
    if (parts.some((part) => part.startsWith('$'))) {
      throw unknown('BadValue', `The positional path '${path}' is not supported`);
    }
    return { path, parts, operator, change: compile(operand, path) };
  });
}

/** Each modifier parses its operand once. */
const modifiers = named<(operand: unknown, path: string) => (current: unknown) => unknown>({
  $set: (operand) => () => operand,
  $setOnInsert: (operand) => () => operand,
  $currentDate: (operand) => {
    if (operand !== true) throw notSupported('$currentDate with anything but true');
    return () => new Date();
  },
  $unset: () => () => undefined,
  $inc: (amount, path) => {
    assert(typeof amount === 'number', 'TypeMismatch', `Cannot $inc ${path} by ${typeName(amount)}`);
    return (current = 0) => {
      const message = `Cannot $inc ${path}, of type ${typeName(current)}`;
      assert(typeof current === 'number', 'TypeMismatch', message);
      return exactly(current + amount, current, amount);
    };
  },
  $max: (operand) => (current) =>
    current === undefined || sortKey(operand) > sortKey(current) ? operand : current,
  $push: (operand, path) => {
    const add = readPush(operand);
    return (current = []) => add(arrayAt(current, path, '$push'));
  },
  $pull: (operand, path) => {
    const isPulled = pullTest(operand);
    return (current) => arrayAt(current, path, '$pull').filter((element) => !isPulled(element));
  },
});

/** `$pull` takes operators for an element, a filter for elements that are documents, or the value to remove. */
function pullTest(operand: unknown): (element: unknown) => boolean {
  if (operand instanceof RegExp || hasOperator(operand)) return compileCondition([], operand);
  if (isDocument(operand)) {
    const filter = compileFilter(operand);
    return (element) => isDocument(element) && filter(element);
  }
  return equals(operand);
}

/** A negative slice keeps the last elements. */
function readPush(operand: unknown): (elements: unknown[]) => unknown[] {
  if (!hasOperator(operand)) return (elements) => [...elements, operand];
  const { $each: added, $slice: slice = Infinity, ...others } = operand;
  const [other] = Object.keys(others);
  if (other !== undefined) throw unknown('BadValue', `Unrecognized clause in $push: ${other}`);
  const isSlice = slice === Infinity || Number.isInteger(slice);
  assert(Array.isArray(added) && isSlice, 'BadValue', '$push needs a list in $each, an integer in $slice');
  const [from, to] = (slice as number) < 0 ? [slice as number] : [0, slice as number];
  return (elements) => [...elements, ...(added as unknown[])].slice(from, to);
}

function arrayAt(current: unknown, path: string, operator: string): unknown[] {
  assert(Array.isArray(current), 'BadValue', `Cannot ${operator} in ${path}, of type ${typeName(current)}`);
  return current;
}

/**
 * Applies the update to the values that the filter requires.
 * @param source the update before it was compiled; a replacement takes only `_id` from the filter
 * @throws StoreError CommandNotSupported for any other condition that MongoDB may take a value from
 */
export function upsertedDocument(filter: BsonDocument, update: Update, source: unknown): BsonDocument {
  const seed = Object.entries(filter).reduce((document, [path, condition]) => {
    // MongoDB takes no values from an `$or` of several conditions.
    if (path === '$or' && (condition as unknown[]).length > 1) return document;
    const equality = equalityOf(condition);
    // With an empty `$in`, the upsert always inserts. Unlike an insert, such an upsert can use `$currentDate`.
    const { $eq, $in = [] } = Object(condition) as { $eq?: unknown; $in?: unknown[] };
    if (path.startsWith('$') || (!equality && ($eq !== undefined || $in.length > 0))) {
      throw notSupported(`An upsert by the condition on '${path}'`);
    }
    if (!equality || (path !== '_id' && isReplacement(source))) return document;
    return changeAt(document, splitPath(path), true, () => equality.value);
  }, {});
  return withId(update(seed, true));
}

/** Puts `_id` first, as MongoDB does. */
export function withId(document: BsonDocument): BsonDocument {
  const { _id = new ObjectId(), ...fields } = document;
  return { _id, ...fields };
}
