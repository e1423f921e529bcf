/** A projection of these paths alone. A path within another is left out: the other reads it too, and databases refuse both. */
export function projectionOf(...paths: readonly Iterable<string>[]): Record<string, 0 | 1> {
  const all = new Set(paths.flatMap((some) => [...some]));
  const isWithin = (path: string) =>
    [...path.matchAll(/\./g)].some(({ index }) => all.has(path.slice(0, index)));
  const kept = [...all].filter((path) => !isWithin(path)).map((path) => [path, 1] as const);
  return { ...(!all.has('_id') && { _id: 0 as const }), ...Object.fromEntries(kept) };
}

/** A projection that leaves out the long paths that are not needed. */
export const leavingOut = (long: readonly string[], needed: ReadonlySet<string>): Record<string, 0> =>
  Object.fromEntries(long.filter((path) => !needed.has(path)).map((path) => [path, 0]));
