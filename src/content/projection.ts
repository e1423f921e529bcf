/** A projection of these paths alone. Databases refuse a path within another, which reads it anyway. */
export function projectionOf(...paths: readonly Iterable<string>[]): Record<string, 0 | 1> {
  const all = new Set(paths.flatMap((some) => [...some]));
  const isWithin = (path: string) =>
    [...path.matchAll(/\./g)].some(({ index }) => all.has(path.slice(0, index)));
  const kept = [...all].filter((path) => !isWithin(path)).map((path) => [path, 1] as const);
  return { ...(!all.has('_id') && { _id: 0 as const }), ...Object.fromEntries(kept) };
}

/** What a read leaves out of what may be long: all of it that nobody needs. */
export const leavingOut = (long: readonly string[], needed: ReadonlySet<string>): Record<string, 0> =>
  Object.fromEntries(long.filter((path) => !needed.has(path)).map((path) => [path, 0]));
