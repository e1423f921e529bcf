/** A condition for the database, or several that must all hold. */
export type Query = Record<string, unknown>;

/**
 * Joins conditions for the database into one that matches what all of them match. Spreading conditions into one object would let a later
 * `$or` replace an earlier one, and with it a caller's reach.
 * @param conditions false, null and undefined don't restrict, and neither does an empty condition
 */
export function allOf(...conditions: readonly (Query | false | null | undefined)[]): Query {
  const joined = conditions.filter((one): one is Query => Boolean(one) && Object.keys(one || {}).length > 0);
  return joined.length > 1 ? { $and: joined } : (joined[0] ?? {});
}

/** Drops a path inside another path: databases reject a projection that has both. */
export function projectionOf(...paths: readonly Iterable<string>[]): Record<string, 0 | 1> {
  const all = new Set(paths.flatMap((some) => [...some]));
  const isWithin = (path: string) =>
    [...path.matchAll(/\./g)].some(({ index }) => all.has(path.slice(0, index)));
  const kept = [...all].filter((path) => !isWithin(path)).map((path) => [path, 1] as const);
  return { ...(!all.has('_id') && { _id: 0 as const }), ...Object.fromEntries(kept) };
}

export const leavingOut = (long: readonly string[], needed: ReadonlySet<string>): Record<string, 0> =>
  Object.fromEntries(long.filter((path) => !needed.has(path)).map((path) => [path, 0]));

/** By a field that each index of a list has. */
export const matchesNothing: Query = { publicId: { $in: [] } };

/** The ids of a filter, once each and without spaces around them. Undefined if the filter has none. */
export const distinctIds = (ids: readonly string[] | null | undefined): string[] | undefined =>
  ids ? [...new Set(ids.map((id) => id.trim()))] : undefined;
