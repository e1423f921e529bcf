type Condition = Record<string, unknown>;

/**
 * Joins conditions for the database into one that matches what all of them match. Spreading conditions into one object would let a later
 * `$or` replace an earlier one, and with it a caller's reach.
 * @param conditions false, null and undefined don't restrict, and neither does an empty condition
 */
export function allOf(...conditions: readonly (Condition | false | null | undefined)[]): Condition {
  const joined = conditions.filter(
    (one): one is Condition => Boolean(one) && Object.keys(one || {}).length > 0,
  );
  return joined.length > 1 ? { $and: joined } : (joined[0] ?? {});
}
