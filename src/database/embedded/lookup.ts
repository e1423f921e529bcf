import { isDocument, type BsonDocument } from './bson-document.js';
import { compileComputedFields } from './computed-fields.js';
import { compileExpression } from './expression.js';
import { someAt, splitPath } from './field-path.js';
import { type PipelineCompiler, type PipelineSource } from './pipeline-source.js';
import { notSupported, StoreError } from './store-error.js';

const OPTIONS = new Set(['from', 'as', 'localField', 'foreignField', 'let', 'pipeline']);

/**
 * Compiles the stage `$lookup`: by equal fields, by a pipeline with `let`, or by both.
 * @throws StoreError FailedToParse for a specification that MongoDB cannot read
 */
export function compileLookup(
  specification: unknown,
  source: PipelineSource,
  variables: BsonDocument,
  compilePipeline: PipelineCompiler,
): (document: BsonDocument) => BsonDocument {
  if (!isDocument(specification))
    throw new StoreError('FailedToParse', 'the $lookup specification must be an object');
  const { from, as, localField, foreignField, let: bindings = {}, pipeline = [] } = specification;
  const unknown = Object.keys(specification).find((name) => !OPTIONS.has(name));
  const isByField = typeof localField === 'string' && typeof foreignField === 'string';
  if (unknown !== undefined || typeof as !== 'string' || !isDocument(bindings) || !Array.isArray(pipeline)) {
    throw new StoreError(
      'FailedToParse',
      `unknown argument to $lookup, or one of another type: ${unknown ?? 'as'}`,
    );
  }
  if (typeof from !== 'string') throw notSupported('$lookup without a collection in "from"');
  if (
    !isByField &&
    (localField !== undefined || foreignField !== undefined || !('pipeline' in specification))
  ) {
    throw new StoreError('FailedToParse', '$lookup requires both or neither of localField and foreignField');
  }
  const lets = Object.entries(bindings).map(
    ([name, expression]) => [name, compileExpression(expression, variables)] as const,
  );
  // Refuses a wrong pipeline even when there are no documents to run it for.
  compilePipeline(pipeline, source, variables);
  const localParts = isByField ? splitPath(localField) : [];
  const set = (document: BsonDocument, found: BsonDocument[]) =>
    compileComputedFields({ [as]: { $literal: found } }, {})(document);
  return (document) => {
    const bound = Object.fromEntries(lets.map(([name, evaluate]) => [name, evaluate(document)]));
    const filter = isByField ? { [foreignField]: { $in: localValues(document, localParts) } } : {};
    const run = compilePipeline(pipeline, source, { ...variables, ...bound });
    return set(document, run(source.find(from, filter)));
  };
}

/** The values that a foreign field may equal: null for a missing one, the elements of an array. */
function localValues(document: BsonDocument, parts: readonly string[]): unknown[] {
  const values: unknown[] = [];
  someAt(document, parts, 0, (value) => {
    values.push(...(Array.isArray(value) ? (value as unknown[]) : [value ?? null]));
    return false;
  });
  if (values.some((value) => value instanceof RegExp)) throw notSupported('$lookup by a regular expression');
  return values;
}
