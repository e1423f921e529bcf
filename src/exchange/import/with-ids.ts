import { Types } from 'mongoose';

/** Gives each element without an id the id of the stored element with the same key if that id is free, or else a new id. */
export function withIds<Key extends string, Given extends Record<Key, string> & { _id?: Types.ObjectId }>(
  given: readonly Given[],
  stored: readonly (Record<Key, string> & { _id: Types.ObjectId })[],
  key: Key,
): (Given & { _id: Types.ObjectId })[] {
  const ids = new Map<string, Types.ObjectId>(stored.map((element) => [element[key], element._id]));
  // An import rejects a list in which two elements have the same id.
  const taken = new Set(given.map(({ _id }) => String(_id)));
  return given.map((element) => {
    const kept = ids.get(element[key]);
    const free = kept && !taken.has(String(kept)) ? kept : new Types.ObjectId();
    const _id = element._id ?? free;
    taken.add(String(_id));
    return { _id, ...element };
  });
}
