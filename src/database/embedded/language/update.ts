import { ObjectId } from 'bson';
import { hasOperator, isDocument, named, type BsonDocument } from '../values/document.js';
import { splitPath } from '../values/field-path.js';
import { sortKey } from '../values/sort-key.js';
import { assert, notSupported } from '../values/store-error.js';
import { changeAt } from './change-at.js';
import { documentStages } from './document-stages.js';
import { compileFilter, equalityOf } from './filter.js';

/** Returns a changed copy. `isInsert` means that an upsert will insert the copy. */
type Update = (document: BsonDocument, isInsert: boolean) => BsonDocument;

/** @throws StoreError CommandNotSupported for an unknown stage or modifier */
export function compileUpdate(update: unknown): Update {
  if (Array.isArray(update)) return compilePipeline(update as BsonDocument[]);
  if (hasOperator(update)) return compileModifiers(update);
  return ({ _id }) => ({ ...(_id !== undefined && { _id }), ...(update as BsonDocument) });
}

function compilePipeline(pipeline: readonly BsonDocument[]): Update {
  const stages = pipeline.flatMap(Object.entries<unknown>).map(([name, operand]) => {
    const compile = documentStages.get(name);
    if (compile) return compile(operand);
    throw notSupported(`The stage ${name} in an update`);
  });
  return (document) => stages.reduce((result, stage) => stage(result), document);
}

function compileModifiers(update: BsonDocument): Update {
  const modifications = Object.entries(update).flatMap((entry) => readModifier(...entry));
  // MongoDB applies modifiers, and adds new fields, in the order of the paths.
  modifications.sort((a, b) => (a.path < b.path ? -1 : 1));
  return (document, isInsert) =>
    modifications.reduce((changed, { parts, operator, change }) => {
      if (operator === '$setOnInsert' && !isInsert) return changed;
      return changeAt(changed, parts, operator !== '$unset' && operator !== '$pull', change);
    }, document);
}

function readModifier(operator: string, fields: unknown) {
  const compile = modifiers.get(operator);
  if (compile === undefined) throw notSupported(`The modifier ${operator}`);
  return Object.entries(fields as BsonDocument).map(([path, operand]) => ({
    path,
    parts: splitPath(path),
    operator,
    change: compile(operand),
  }));
}

/** Each modifier parses its operand once. */
const modifiers = named<(operand: unknown) => (current: unknown) => unknown>({
  $set: (operand) => () => operand,
  $setOnInsert: (operand) => () => operand,
  $currentDate: () => () => new Date(),
  $unset: () => () => undefined,
  $inc:
    (amount) =>
    (current = 0) => {
      assert(typeof current === 'number', 'BadValue', 'Only a number can be incremented');
      return current + (amount as number);
    },
  $max: (operand) => (current) =>
    current === undefined || sortKey(operand) > sortKey(current) ? operand : current,
  $push: (operand) => {
    const add = readPush(operand);
    return (current = []) => add(arrayOf(current));
  },
  $pull: (operand) => {
    // Operators for the element itself would need another kind of filter.
    if (!isDocument(operand) || hasOperator(operand)) throw notSupported('$pull of other than documents');
    const filter = compileFilter(operand);
    return (current) => arrayOf(current).filter((element) => !(isDocument(element) && filter(element)));
  },
});

/** A negative slice keeps the last elements. */
function readPush(operand: unknown): (elements: unknown[]) => unknown[] {
  if (!hasOperator(operand)) return (elements) => [...elements, operand];
  const {
    $each: added,
    $slice: slice = Infinity,
    ...others
  } = operand as { $each: unknown[]; $slice?: number };
  const [other] = Object.keys(others);
  if (other !== undefined) throw notSupported(`The clause ${other} of $push`);
  const [from, to] = slice < 0 ? [slice] : [0, slice];
  return (elements) => [...elements, ...added].slice(from, to);
}

function arrayOf(current: unknown): unknown[] {
  assert(Array.isArray(current), 'BadValue', 'Only an array has elements to add or remove');
  return current;
}

/** Applies the update to the values that the filter requires. A replacement takes only `_id` from the filter. */
export function upsertedDocument(filter: BsonDocument, update: Update, source: unknown): BsonDocument {
  const isReplacement = !Array.isArray(source) && !hasOperator(source);
  const seed = Object.entries(filter).reduce((document, [path, condition]) => {
    const equality = path.startsWith('$') ? undefined : equalityOf(condition);
    if (!equality || (isReplacement && path !== '_id')) return document;
    return changeAt(document, splitPath(path), true, () => equality.value);
  }, {});
  return withId(update(seed, true));
}

/** Puts `_id` first, as MongoDB does. */
export function withId(document: BsonDocument): BsonDocument {
  const { _id = new ObjectId(), ...fields } = document;
  return { _id, ...fields };
}
