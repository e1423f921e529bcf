import { memoize } from '../memoize.js';
import { type Rows } from './row.rules.js';

/** The requested fields of an object, by name, each with its requested subfields. */
export type Requested = ReadonlyMap<string, { readonly below: Requested }>;

const nothing: Requested = new Map();

export const alsoRequested = (one: Requested, other: Requested): Requested =>
  new Map([
    ...one,
    ...[...other].map(([name, { below }]) => {
      return [name, { below: alsoRequested(one.get(name)?.below ?? nothing, below) }] as const;
    }),
  ]);

/** @param paths such as `name` and `company.name` */
export const requested = (...paths: readonly string[]): Requested =>
  paths
    .map((path) => path.split('.').reduceRight((below, name) => new Map([[name, { below }]]), nothing))
    .reduce(alsoRequested, nothing);

/** Returns a function that gives the view of the requested fields, by default of all, and keeps each view. */
export function viewsOf<Sources, Context, Type>(rows: Rows) {
  const viewOf = (fields?: Requested) => {
    /** Stored paths to read, by record. A record is absent if none of its fields are needed. */
    const paths: { readonly [Source in keyof Sources]?: ReadonlySet<string> } = {};
    const show = showing(rows, fields, paths as Record<string, Set<string>>);
    return { paths, show: show as (from: Sources & Context) => Type };
  };
  const all = viewOf();
  const kept = memoize((fields: Requested) => viewOf(fields));
  return (fields?: Requested) => (fields ? kept(fields) : all);
}

type Show = (from: never) => unknown;

function showing(rows: Rows, fields: Requested | undefined, paths: Record<string, Set<string>>): Show {
  const parts: { name: string; show: Show }[] = [];
  for (const [name, { needs, show, isVisible, of }] of Object.entries(rows)) {
    if (fields && !fields.has(name)) continue;
    for (const [source, needed] of Object.entries({ ...needs, ...isVisible?.needs }))
      for (const path of needed) (paths[source] ??= new Set()).add(path);
    if (show) parts.push({ name, show });
    if (show || !of) continue;
    const inside = showing(of, fields?.get(name)?.below, paths);
    parts.push({ name, show: isVisible ? (from) => (isVisible.show(from) ? inside(from) : null) : inside });
  }
  return (from) => {
    const view: Record<string, unknown> = {};
    for (const { name, show } of parts) view[name] = show(from);
    return view;
  };
}
