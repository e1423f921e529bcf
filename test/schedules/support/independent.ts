import { type BsonDocument } from '../../../src/database/embedded/values/document.js';

interface Footprint {
  collections: Set<string>;
  /** The id of the only document that the command names; otherwise null. */
  id: string | null;
  isRead: boolean;
}

const reads = new Set(['find', 'aggregate', 'count', 'distinct']);

export const isRead = (command: BsonDocument): boolean => reads.has(Object.keys(command)[0] ?? '');

function footprintOf(command: BsonDocument): Footprint {
  const [name = ''] = Object.keys(command);
  const pipeline = (command.pipeline ?? []) as { $lookup?: { from: string } }[];
  const updates = (command.updates ?? []) as { q: { _id?: unknown } }[];
  const filters = [command.query, command.filter, ...updates.map(({ q }) => q)] as (
    { _id?: unknown } | undefined
  )[];
  // A chunk of a logo conflicts only with the same chunk.
  const pieces =
    command.insert === 'logos.chunks' ? (command.documents as { files_id: unknown; n: number }[]) : [];
  const ids = [
    ...filters.flatMap((filter) => (filter ? [filter._id] : [])),
    ...pieces.map(({ files_id, n }) => `${String(files_id)} ${n}`),
  ];
  return {
    collections: new Set([String(command[name]), ...pipeline.flatMap(({ $lookup }) => $lookup?.from ?? [])]),
    id: ids.length === 1 && typeof ids[0] === 'string' ? ids[0] : null,
    isRead: isRead(command),
  };
}

/** Whether two commands give the same database and replies in either order. */
export function isIndependent(one: BsonDocument, other: BsonDocument): boolean {
  const [first, second] = [footprintOf(one), footprintOf(other)];
  if (first.isRead && second.isRead) return true;
  if (![...first.collections].some((name) => second.collections.has(name))) return true;
  return first.id !== null && second.id !== null && first.id !== second.id;
}
