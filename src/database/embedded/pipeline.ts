import { isDocument, type BsonDocument } from './bson-document.js';
import { compileComputedFields } from './computed-fields.js';
import { compileExpression } from './expression.js';
import { compileFilter } from './filter.js';
import { compileGroup } from './group.js';
import { compileLookup } from './lookup.js';
import { type PipelineCompiler, type PipelineRun, type PipelineSource } from './pipeline-source.js';
import { compileProjection } from './projection.js';
import { parseSort, sortDocuments } from './sort.js';
import { notSupported, StoreError } from './store-error.js';
import { compileUnwind } from './unwind.js';

const stages: Record<string, PipelineCompiler> = {
  $match: (operand, _source, variables) => {
    const filter = compileFilter(operand, variables);
    return (documents) => documents.filter(filter);
  },
  $sort: (operand) => {
    const fields = parseSort(operand);
    if (fields.length === 0)
      throw new StoreError('Location15976', '$sort stage must have at least one sort key');
    return (documents) => sortDocuments(documents, fields, (document) => document);
  },
  $skip: (operand) => (documents) => documents.slice(count('$skip', operand, 0)),
  $limit: (operand) => (documents) => documents.slice(0, count('$limit', operand, 1)),
  $count: (operand) => {
    if (typeof operand !== 'string' || !/^[^$.][^.]*$/.test(operand)) {
      throw new StoreError('BadValue', 'the count field must be a non-empty string without $ and dots');
    }
    return (documents) => (documents.length === 0 ? [] : [{ [operand]: documents.length }]);
  },
  $set: computedFields,
  $addFields: computedFields,
  $project: (operand, _source, variables) => {
    if (isDocument(operand) && Object.keys(operand).length === 0) {
      throw new StoreError('Location51272', 'projection specification must have at least one field');
    }
    const project = compileProjection(operand, { variables });
    return (documents) => documents.map(project);
  },
  $unset: (operand) => {
    const project = compileProjection(Object.fromEntries([operand].flat().map((path) => [path, 0])), {});
    return (documents) => documents.map(project);
  },
  $replaceRoot: (operand, _source, variables) =>
    replaceRoot(isDocument(operand) ? operand.newRoot : undefined, variables),
  $replaceWith: (operand, _source, variables) => replaceRoot(operand, variables),
  $group: (operand, _source, variables) => compileGroup(operand, variables),
  $sortByCount: (operand, _source, variables) => {
    const group = compileGroup({ _id: operand, count: { $sum: 1 } }, variables);
    const fields = parseSort({ count: -1 });
    return (documents) => sortDocuments(group(documents), fields, (document) => document);
  },
  $unwind: (operand) => {
    const unwind = compileUnwind(operand);
    return (documents) => documents.flatMap(unwind);
  },
  $lookup: (operand, source, variables) => {
    const join = compileLookup(operand, source, variables, compilePipeline);
    return (documents) => documents.map(join);
  },
  $facet: (operand, source, variables) => {
    if (!isDocument(operand)) throw new StoreError('BadValue', 'the $facet specification must be an object');
    const facets = Object.entries(operand).map(
      ([name, pipeline]) => [name, compilePipeline(pipeline, source, variables)] as const,
    );
    return (documents) => [Object.fromEntries(facets.map(([name, run]) => [name, run(documents)]))];
  },
};

/** Stages that MongoDB has and this store does not. */
const REFUSED = new Set(
  '$bucket $bucketAuto $collStats $currentOp $densify $documents $fill $geoNear $graphLookup $indexStats $listSessions $merge $out $planCacheStats $redact $sample $search $setWindowFields $unionWith $vectorSearch'.split(
    ' ',
  ),
);

/**
 * Compiles an aggregation pipeline.
 * @throws StoreError Location40324 for an unknown stage, CommandNotSupported for one that only MongoDB has
 */
export function compilePipeline(
  pipeline: unknown,
  source: PipelineSource,
  variables: BsonDocument,
): PipelineRun {
  if (!Array.isArray(pipeline)) throw new StoreError('TypeMismatch', "'pipeline' must be an array");
  const runs = pipeline.map((stage: unknown) => {
    const [name, operand] = readStage(stage);
    if (name === '$changeStream') {
      throw new StoreError('Location40573', 'The $changeStream stage is only supported on replica sets');
    }
    if (REFUSED.has(name)) throw notSupported(`The stage ${name}`);
    const compile = stages[name];
    if (compile === undefined)
      throw new StoreError('Location40324', `Unrecognized pipeline stage name: '${name}'`);
    return compile(operand, source, variables);
  });
  return (documents) => runs.reduce<BsonDocument[]>((result, run) => run(result), [...documents]);
}

/** The name and operand of a stage. @throws StoreError Location40323 unless it has exactly one field */
export function readStage(stage: unknown): [name: string, operand: unknown] {
  const [entry, ...others] = isDocument(stage) ? Object.entries(stage) : [];
  if (entry === undefined || others.length > 0) {
    throw new StoreError(
      'Location40323',
      'A pipeline stage specification object must contain exactly one field.',
    );
  }
  return entry;
}

function computedFields(operand: unknown, _source: PipelineSource, variables: BsonDocument): PipelineRun {
  const compute = compileComputedFields(operand, variables);
  return (documents) => documents.map(compute);
}

function replaceRoot(expression: unknown, variables: BsonDocument): PipelineRun {
  const evaluate = compileExpression(expression, variables);
  return (documents) =>
    documents.map((document) => {
      const root = evaluate(document);
      if (isDocument(root)) return root;
      throw new StoreError('Location40228', "'newRoot' expression must evaluate to an object");
    });
}

function count(stage: string, operand: unknown, least: number): number {
  if (Number.isInteger(operand) && (operand as number) >= least) return operand as number;
  const message = `invalid argument to ${stage} stage: expected an integer of at least ${least}`;
  throw new StoreError(stage === '$limit' ? 'Location15958' : 'BadValue', message);
}
