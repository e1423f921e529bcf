import { Types } from 'mongoose';

/**
 * Gives an id to each element without one: the id of the stored element with the same key, or a new id if there is no such element
 * or another element already has its id.
 */
export function withIds<Key extends string, Given extends Record<Key, string> & { _id?: Types.ObjectId }>(
  given: readonly Given[],
  stored: readonly (Record<Key, string> & { _id: Types.ObjectId })[],
  key: Key,
): (Given & { _id: Types.ObjectId })[] {
  const ids = new Map<string, Types.ObjectId>(stored.map((element) => [element[key], element._id]));
  // The ids that the list already uses. Two elements must not get the same id: an import rejects such a list.
  const taken = new Set(given.map(({ _id }) => String(_id)));
  return given.map((element) => {
    const kept = ids.get(element[key]);
    const free = kept && !taken.has(String(kept)) ? kept : new Types.ObjectId();
    const _id = element._id ?? free;
    taken.add(String(_id));
    return { _id, ...element };
  });
}
