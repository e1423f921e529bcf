import { type Document } from 'mongodb';

/** The shard keys that the operators' handbook names. */
export const shardKeys: Record<string, string> = {
  jobs: 'publicId',
  history: 'record',
  quotas: 'key',
  idempotency: '_id',
};

/**
 * Commands for many documents, which a router may send to every shard: the command, the collection, a field in the filter, and the
 * reason. Null: the command reads the whole collection, perhaps in pages of ids.
 */
export const manyDocuments: readonly (readonly [
  command: string,
  collection: string,
  field: string | null,
  reason: string,
])[] = [
  ['find', 'jobs', 'media', 'lists, changes and exports of a media, and the rest that a killed import left'],
  ['find', 'jobs', 'expiresAt', 'the archiving task, and the doctor'],
  ['find', 'jobs', 'changedAt', 'exports of what has changed in all media'],
  ['find', 'jobs', 'pendingHistory.at', 'the task of HISTORY_LIFETIME'],
  ['find', 'jobs', 'unchangingCalls.at', 'the task that removes old digests'],
  ['find', 'jobs', 'company', 'whether a demo company still has jobs'],
  ['find', 'jobs', 'contract', 'whether a job needs a demo reference'],
  ['find', 'jobs', null, 'exports and erasures'],
  ['aggregate', 'jobs', 'media', 'pages with companies, and counts'],
  ['aggregate', 'jobs', null, 'the size of the built-in store, and duplicates after a lost index'],
  [
    'update',
    'jobs',
    'media',
    'the `changedAt` that a killed import left out, and what jobs store of a company',
  ],
  ['find', 'history', 'at', 'the task of HISTORY_LIFETIME'],
  ['find', 'history', 'call.key', 'keys that the first start after an upgrade converts'],
  ['find', 'history', null, 'erasures'],
  ['aggregate', 'history', null, 'duplicates after a lost index'],
  ['find', 'quotas', null, 'erasures'],
  ['delete', 'quotas', null, 'buckets after a lost index'],
  ['find', 'idempotency', null, 'erasures, and the first start after an upgrade'],
  ['aggregate', 'idempotency', null, 'how many keys the first start after an upgrade converts'],
];

/** The commands that find documents without their shard key. */
export function unnamedIn(command: Document): string[] {
  const [name = ''] = Object.keys(command);
  const collection = String(command[name]);
  const key = shardKeys[collection];
  const stages = (command.pipeline ?? []) as { $lookup?: { from: string } }[];
  const joined = stages.flatMap(({ $lookup }) => $lookup?.from ?? []);
  const found = joined.filter((from) => from in shardKeys).map((from) => `$lookup ${from}`);
  if (key === undefined) return found;
  return [
    ...found,
    ...askedIn(name, command)
      .filter(
        ({ filter, isForOne }) =>
          !isNamed(filter, key) &&
          (isForOne || isNamed(filter, '_id') || !isForMany(name, collection, filter)),
      )
      .map(({ filter }) => `${name} ${collection} by ${pathsOf(filter).join(', ') || 'nothing'}`),
  ];
}

interface Asked {
  filter: Document;
  /** Whether the command writes at most one document. */
  isForOne: boolean;
}

function askedIn(name: string, command: Document): Asked[] {
  const many = (...filters: Document[]) => filters.map((filter) => ({ filter, isForOne: false }));
  const one = (...filters: Document[]) => filters.map((filter) => ({ filter, isForOne: true }));
  const [first] = (command.pipeline ?? []) as Document[];
  switch (name) {
    case 'find':
      return many(command.filter as Document);
    case 'aggregate':
      return many((first?.$match ?? {}) as Document);
    case 'count':
    case 'distinct':
      return many((command.query ?? {}) as Document);
    case 'findAndModify':
      return one(command.query as Document);
    case 'insert':
      return one(...(command.documents as Document[]));
    case 'update':
      return (command.updates as Document[]).map(({ q, multi }) => ({
        filter: q as Document,
        isForOne: !multi,
      }));
    case 'delete':
      return (command.deletes as Document[]).map(({ q, limit }) => ({
        filter: q as Document,
        isForOne: limit === 1,
      }));
    default:
      return [];
  }
}

/** Whether a document has a field, or a filter lists the field's values. */
const isNamed = (filter: Document, key: string): boolean =>
  conditionsOf(filter).some(
    ([path, condition]) =>
      path === key &&
      (condition?.constructor !== Object ||
        Object.keys(condition).some((name) => name === '$in' || name === '$eq')),
  );

const isForMany = (name: string, collection: string, filter: Document): boolean =>
  manyDocuments.some(
    ([command, of, field]) =>
      command === name &&
      of === collection &&
      (field
        ? pathsOf(filter).includes(field)
        : pathsOf(filter).every((path) => path === '_id' || path === 'publicId')),
  );

/** The conditions at the top level and inside `operators`. */
const conditionsOf = (filter: Document, operators = ['$and']): [string, unknown][] =>
  Object.entries(filter).flatMap(([path, condition]) =>
    operators.includes(path)
      ? (condition as Document[]).flatMap((each) => conditionsOf(each, operators))
      : [[path, condition]],
  );

const pathsOf = (filter: Document): string[] =>
  [...new Set(conditionsOf(filter, ['$and', '$or']).map(([path]) => path))].sort();
