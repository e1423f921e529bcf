import { Types } from 'mongoose';

/** The ids of elements to which a line gives none: each keeps that of the stored one of its key, unless another has it. */
export function distinctIds(
  given: readonly (Types.ObjectId | undefined)[],
  stored: readonly (readonly [key: string, id: Types.ObjectId])[],
): (key: string) => Types.ObjectId {
  const ids = new Map(stored);
  // No import takes an export in which two elements have one id.
  const taken = new Set(given.map(String));
  return (key) => {
    const kept = ids.get(key);
    const id = kept && !taken.has(String(kept)) ? kept : new Types.ObjectId();
    taken.add(String(id));
    return id;
  };
}
