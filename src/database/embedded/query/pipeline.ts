import { documentStages, readStage } from '../language/document-stages.js';
import { compileExpression } from '../language/expression.js';
import { compileFilter } from '../language/filter.js';
import { hasOperator, isCount, isDocument, named, type BsonDocument } from '../values/document.js';
import { someAt, splitPath } from '../values/field-path.js';
import { sortKey } from '../values/sort-key.js';
import { assert, notSupported, unknown } from '../values/store-error.js';
import { type FindQuery } from './find-records.js';
import { parseSort, sortDocuments } from './sort.js';

type Find = (collection: string, query: FindQuery) => BsonDocument[];
type PipelineRun = (documents: readonly BsonDocument[]) => BsonDocument[];

const stages = named<(operand: unknown, find: Find) => PipelineRun>({
  $match: (operand) => {
    assert(isDocument(operand), 'Location15959', 'the match filter must be an expression in an object');
    const filter = compileFilter(operand);
    return (documents) => documents.filter(filter);
  },
  $sort: (operand) => {
    assert(isDocument(operand), 'Location15973', 'the $sort key specification must be an object');
    const fields = parseSort(operand);
    assert(fields.length > 0, 'Location15976', '$sort stage must have a sort key');
    return (documents) => sortDocuments(documents, fields, (document) => document);
  },
  $limit: (operand) => {
    assert(isCount(operand), 'Location5107201', 'the argument of $limit must be a non-negative integer');
    assert(operand > 0, 'Location15958', 'the limit must be positive');
    return (documents) => documents.slice(0, operand);
  },
  $group: compileGroup,
  $lookup: compileLookup,
});

/**
 * Returns a query for the first stages, and a function that runs the other stages on the result.
 * @throws StoreError Location40324 for an unknown stage, Location40573 for a change stream
 */
export function compilePipeline(pipeline: unknown, find: Find): { query: FindQuery; run: PipelineRun } {
  assert(Array.isArray(pipeline), 'TypeMismatch', "'pipeline' must be an array");
  const parts = pipeline.map(readStage);
  const runs = parts.map(([name, operand]) => compileStage(name, operand, find));
  // A leading `$match`, `$sort` and `$limit`, in this order, become a query, which can use an index.
  let taken = 0;
  const take = (name: string) => (parts[taken]?.[0] === name ? parts[taken++]?.[1] : undefined);
  const filter = (take('$match') ?? {}) as BsonDocument;
  const sort = parseSort((take('$sort') ?? {}) as BsonDocument);
  const limit = take('$limit') as number | undefined;
  const others = runs.slice(taken);
  return {
    query: { filter, sort, limit },
    run: (documents) => others.reduce<BsonDocument[]>((result, run) => run(result), [...documents]),
  };
}

function compileStage(name: string, operand: unknown, find: Find): PipelineRun {
  const ofDocument = documentStages.get(name)?.(operand);
  if (ofDocument !== undefined) return (documents) => documents.map(ofDocument);
  const compile = stages.get(name);
  if (compile !== undefined) return compile(operand, find);
  if (name === '$out' || name === '$merge') throw notSupported(`The stage ${name}, which writes,`);
  if (name === '$changeStream') {
    throw unknown('Location40573', 'The $changeStream stage is only supported on replica sets');
  }
  throw unknown('Location40324', `Unrecognized pipeline stage name: '${name}'`);
}

/** @throws StoreError FailedToParse or IDLUnknownField for a wrong operand */
function compileLookup(specification: unknown, find: Find): PipelineRun {
  const { pipeline = [], ...options } = isDocument(specification) ? specification : {};
  const {
    from = '',
    as = '',
    localField = '',
    foreignField = '',
    ...others
  } = options as Record<string, string>;
  const [other] = Object.keys(others);
  if (other !== undefined) throw unknown('IDLUnknownField', `'$lookup.${other}' is an unknown field`);
  if ([from, as, localField, foreignField].some((name) => typeof name !== 'string' || name === '')) {
    throw unknown('FailedToParse', '$lookup requires from, as, localField and foreignField');
  }
  if (as.includes('.')) throw notSupported('$lookup into an embedded document');
  const localParts = splitPath(localField);
  const { query, run } = compilePipeline(pipeline, find);
  return (documents) =>
    documents.map((document) => {
      const joined = { [foreignField]: { $in: localValues(document, localParts) } };
      return { ...document, [as]: run(find(from, { ...query, filter: { $and: [joined, query.filter] } })) };
    });
}

/** The local value, null if it is missing, or its elements if it is an array. */
function localValues(document: BsonDocument, parts: readonly string[]): unknown[] {
  const values: unknown[] = [];
  someAt(document, parts, 0, (value) => {
    values.push(...(Array.isArray(value) ? (value as unknown[]) : [value ?? null]));
    return false;
  });
  if (values.some((value) => value instanceof RegExp)) throw notSupported('$lookup by a regular expression');
  return values;
}

/** Groups are in the order of their first document. @throws StoreError Location15952 for an accumulator other than `$sum` */
function compileGroup(specification: unknown): (documents: readonly BsonDocument[]) => BsonDocument[] {
  assert(isDocument(specification), 'Location15947', "a group's fields must be specified in an object");
  assert('_id' in specification, 'Location15955', 'a group specification must include an _id');
  const { _id, ...fields } = specification;
  // An `_id` without a value becomes null. If `_id` is a document, its fields without a value become null too.
  const names = isDocument(_id) && !hasOperator(_id) ? Object.keys(_id) : [];
  const absent = Object.fromEntries(names.map((name) => [name, null]));
  const evaluate = compileExpression(_id);
  const idOf = (document: BsonDocument): unknown => {
    const id = evaluate(document) ?? null;
    return names.length > 0 && isDocument(id) ? { ...absent, ...id } : id;
  };
  const sums = Object.entries(fields).map(([name, field]) => [name, compileSum(name, field)] as const);
  return (documents) => {
    const groups = new Map<string, { id: unknown; members: BsonDocument[] }>();
    for (const document of documents) {
      const id = idOf(document);
      const key = sortKey(id);
      const group = groups.get(key) ?? { id, members: [] };
      group.members.push(document);
      groups.set(key, group);
    }
    return [...groups.values()].map(({ id, members }) => ({
      _id: id,
      ...Object.fromEntries(sums.map(([name, sum]) => [name, sum(members)])),
    }));
  };
}

/** Values that are not numbers count as 0. */
function compileSum(name: string, field: unknown): (members: readonly BsonDocument[]) => number {
  const message = `The field '${name}' must be an accumulator object`;
  assert(hasOperator(field) && Object.keys(field).length === 1, 'Location40234', message);
  const [operator = ''] = Object.keys(field);
  if (operator !== '$sum') throw unknown('Location15952', `unknown group operator '${operator}'`);
  const evaluate = compileExpression(field.$sum);
  return (members) =>
    members
      .map(evaluate)
      .filter((value) => typeof value === 'number')
      .reduce((total, value) => total + value, 0);
}
