import { documentStages } from '../language/document-stages.js';
import { compileExpression } from '../language/expression.js';
import { compileFilter } from '../language/filter.js';
import { named, type BsonDocument } from '../values/document.js';
import { someAt, splitPath } from '../values/field-path.js';
import { sortKey } from '../values/sort-key.js';
import { notSupported } from '../values/store-error.js';
import { type FindQuery } from './find-records.js';
import { parseSort, sortDocuments } from './sort.js';

type Find = (collection: string, query: FindQuery) => BsonDocument[];
type PipelineRun = (documents: readonly BsonDocument[]) => BsonDocument[];

const stages = named<(operand: BsonDocument, find: Find) => PipelineRun>({
  $match: (operand) => {
    const filter = compileFilter(operand);
    return (documents) => documents.filter(filter);
  },
  $sort: (operand) => {
    const fields = parseSort(operand);
    return (documents) => sortDocuments(documents, fields, (document) => document);
  },
  $limit: (operand) => (documents) => documents.slice(0, Number(operand)),
  $group: compileGroup,
  $lookup: compileLookup,
});

/**
 * Returns a query for the first stages, and a function that runs the other stages on the result.
 * @throws StoreError CommandNotSupported for an unknown stage
 */
export function compilePipeline(
  pipeline: readonly BsonDocument[],
  find: Find,
): { query: FindQuery; run: PipelineRun } {
  const parts = pipeline.flatMap(Object.entries<unknown>);
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
  if (compile === undefined) throw notSupported(`The stage ${name}`);
  return compile(operand as BsonDocument, find);
}

interface Lookup {
  from: string;
  localField: string;
  foreignField: string;
  as: string;
  pipeline?: BsonDocument[];
}

function compileLookup(operand: BsonDocument, find: Find): PipelineRun {
  const { from, localField, foreignField, as, pipeline = [], ...others } = operand as unknown as Lookup;
  const [other] = Object.keys(others);
  if (other !== undefined) throw notSupported(`The option ${other} of $lookup`);
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
  return values;
}

/** Groups are in the order of their first document. @throws StoreError CommandNotSupported for an accumulator other than `$sum` */
function compileGroup({ _id, ...fields }: BsonDocument): PipelineRun {
  const idOf = compileExpression(_id);
  const sums = Object.entries(fields as Record<string, BsonDocument>).map(([name, field]) => {
    const { $sum: summed, ...others } = field;
    if (Object.keys(others).length > 0) throw notSupported(`The accumulator of ${name}`);
    const evaluate = compileExpression(summed);
    const total = (members: readonly BsonDocument[]) =>
      members.reduce((sum, member) => sum + Number(evaluate(member)), 0);
    return [name, total] as const;
  });
  return (documents) => {
    const groups = new Map<string, { id: unknown; members: BsonDocument[] }>();
    for (const document of documents) {
      const id = idOf(document) ?? null;
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
