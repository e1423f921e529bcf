import { memoize1 } from '@graphql-tools/utils';
import { type Selection } from './selection.js';
import { type Rows } from './row.rules.js';

/** Returns a function that gives the view of a selection, or of all fields without one, and keeps each view. */
export function viewsOf<Sources, Context, Type>(rows: Rows) {
  const viewOf = (selection?: Selection) => {
    /** Stored paths to read, by record. A record is absent if none of its fields are needed. */
    const paths: { readonly [Source in keyof Sources]?: ReadonlySet<string> } = {};
    const show = showing(rows, selection, paths as Record<string, Set<string>>);
    return { paths, show: show as (from: Sources & Context) => Type };
  };
  const all = viewOf();
  const kept = memoize1((selection: Selection) => viewOf(selection));
  return (selection?: Selection) => (selection ? kept(selection) : all);
}

type Show = (from: never) => unknown;

function showing(rows: Rows, selection: Selection | undefined, paths: Record<string, Set<string>>): Show {
  const parts: { name: string; show: Show }[] = [];
  for (const [name, { needs, show, isShown, of }] of Object.entries(rows)) {
    if (selection && !selection.has(name)) continue;
    for (const [source, needed] of Object.entries({ ...needs, ...isShown?.needs }))
      for (const path of needed) (paths[source] ??= new Set()).add(path);
    if (show || !of) {
      if (show) parts.push({ name, show });
      continue;
    }
    const inside = showing(of.fields, selection?.get(name)?.below, paths);
    parts.push({ name, show: isShown ? (from) => (isShown.show(from) ? inside(from) : null) : inside });
  }
  return (from) => {
    const shown: Record<string, unknown> = {};
    for (const { name, show } of parts) shown[name] = show(from);
    return shown;
  };
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
