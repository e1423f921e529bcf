import { memoize1 } from '@graphql-tools/utils';
import { type Asked } from './asked-fields.js';

type PathOf<Stored> = (keyof Stored & string) | `${keyof Stored & string}.${string}`;

type Head<Path> = Path extends `${infer First}.${string}` ? First : Path;

/** The needed stored paths, by record. */
type Needs<Sources> = { readonly [Source in keyof Sources]?: readonly PathOf<Sources[Source]>[] };

/** The records, with only the fields that these paths cover: reading any other field does not compile. */
type Read<Sources, Needed extends Needs<Sources>> = {
  [Source in keyof Needed & keyof Sources]: Needed[Source] extends readonly (infer Path)[]
    ? Pick<Sources[Source], Head<Path> & keyof Sources[Source]>
    : never;
};

/** Computes one API field from the stored paths that it needs. */
export class Shown<Sources, Context, Value> {
  constructor(
    readonly needs: Needs<Sources>,
    readonly show: (from: Sources & Context) => Value,
  ) {}
}

/** Defines a field of a resource. `Sources` are the resource's records; `Context` has values that need no read, such as the language. */
export const shownFrom =
  <Sources, Context>() =>
  <const Needed extends Needs<Sources>, Value>(
    needs: Needed,
    show: (from: Read<Sources, Needed> & Context) => Value,
  ): Shown<Sources, Context, Value> =>
    new Shown(needs, show as (from: unknown) => Value);

/** A nested resource, shown as null unless `isShown` returns true. */
export class ShownWhere<Sources, Context, Type> {
  constructor(
    readonly needs: Needs<Sources>,
    readonly isShown: (from: Sources & Context) => boolean,
    readonly fields: ShownFields<Sources, Context, Type>,
  ) {}
}

export type ShownFields<Sources, Context, Type> = {
  readonly [Field in keyof Type]-?:
    | Shown<Sources, Context, Type[Field]>
    | (null extends Type[Field] ? ShownWhere<Sources, Context, NonNullable<Type[Field]>> : never)
    | ([Type[Field]] extends [object] ? ShownFields<Sources, Context, Type[Field]> : never);
};

interface Selection<Sources, Context, Type> {
  /** Stored paths to read, by record. A record is absent if none of its fields are needed. */
  readonly paths: { readonly [Source in keyof Sources]?: ReadonlySet<string> };
  readonly show: (from: Sources & Context) => Type;
}

/** Returns a function that selects the requested fields, or all fields without `asked`, and caches each selection. */
export function selectorOf<Sources, Context, Type>(
  fields: ShownFields<Sources, Context, Type>,
): (asked?: Asked) => Selection<Sources, Context, Type> {
  const select = (asked?: Asked): Selection<Sources, Context, Type> => {
    const paths: Record<string, Set<string>> = {};
    const show = showing(fields as unknown as Table, asked, paths) as (from: unknown) => Type;
    return { paths, show };
  };
  const all = select();
  const selected = memoize1((asked: Asked) => select(asked));
  return (asked) => (asked ? selected(asked) : all);
}

type Show = (from: object) => unknown;
interface Table {
  readonly [field: string]: Shown<unknown, unknown, unknown> | ShownWhere<unknown, unknown, unknown> | Table;
}

function showing(fields: Table, asked: Asked | undefined, paths: Record<string, Set<string>>): Show {
  const parts: { name: string; show: Show }[] = [];
  for (const [name, field] of Object.entries(fields)) {
    if (asked && !asked.has(name)) continue;
    if (field instanceof Shown || field instanceof ShownWhere)
      for (const [source, needed] of Object.entries<readonly string[]>(field.needs))
        for (const path of needed) (paths[source] ??= new Set()).add(path);
    const within = (table: Table) => showing(table, asked?.get(name)?.below, paths);
    if (field instanceof Shown) parts.push({ name, show: field.show });
    else if (field instanceof ShownWhere) {
      const show = within(field.fields);
      parts.push({ name, show: (from) => (field.isShown(from) ? show(from) : null) });
    } else parts.push({ name, show: within(field) });
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
