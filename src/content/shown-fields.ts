import { type Asked } from './asked-fields.js';

/** A field of a record, or a path within one. */
type PathOf<Stored> = (keyof Stored & string) | `${keyof Stored & string}.${string}`;

/** The field of the record that a path leads into. */
type Head<Path> = Path extends `${infer First}.${string}` ? First : Path;

/** Stored paths by the record that they are in. */
type Needs<Sources> = { readonly [Source in keyof Sources]?: readonly PathOf<Sources[Source]>[] };

/** What of the records is at hand where these paths were read: to look at anything else is an error of the compiler. */
type Read<Sources, Needed extends Needs<Sources>> = {
  [Source in keyof Needed & keyof Sources]: Needed[Source] extends readonly (infer Path)[]
    ? Pick<Sources[Source], Head<Path> & keyof Sources[Source]>
    : never;
};

/** One field as it is shown: the stored paths that it is made of, and how. */
export class Shown<Sources, Around, Value> {
  constructor(
    readonly needs: Needs<Sources>,
    readonly show: (from: Sources & Around) => Value,
  ) {}
}

/**
 * Makes the fields of one resource.
 * @typeParam Sources the records that they are made of
 * @typeParam Around what they depend on besides, which takes no read
 */
export const shownFrom =
  <Sources, Around>() =>
  <const Needed extends Needs<Sources>, Value>(
    needs: Needed,
    show: (from: Read<Sources, Needed> & Around) => Value,
  ): Shown<Sources, Around, Value> =>
    new Shown(needs, show as (from: unknown) => Value);

/** Every field of a type of the schema, so that none can be added without the paths that it needs. */
export type ShownFields<Sources, Around, Type> = {
  readonly [Field in keyof Type]-?:
    | Shown<Sources, Around, Type[Field]>
    | ([Type[Field]] extends [object] ? ShownFields<Sources, Around, Type[Field]> : never);
};

/** What a document asks of a resource. */
export interface Selection<Sources, Around, Type> {
  /** The stored paths that it takes, by the record that they are in; a record of which nothing is needed is absent. */
  readonly paths: { readonly [Source in keyof Sources]?: ReadonlySet<string> };
  /** Shows what is asked, and nothing else of the type. */
  readonly show: (from: Sources & Around) => Type;
}

/** Narrows a resource to the fields asked for; all of them where nothing is said. */
export function select<Sources, Around, Type>(
  fields: ShownFields<Sources, Around, Type>,
  asked?: Asked,
): Selection<Sources, Around, Type> {
  const paths: Record<string, Set<string>> = {};
  const show = showing(fields as unknown as Table, asked, paths) as (from: unknown) => Type;
  return { paths: paths, show };
}

type Show = (from: object) => unknown;
interface Table {
  readonly [field: string]: Shown<unknown, unknown, unknown> | Table;
}

function showing(fields: Table, asked: Asked | undefined, paths: Record<string, Set<string>>): Show {
  const parts: { name: string; show: Show }[] = [];
  for (const [name, field] of Object.entries(fields)) {
    if (asked && !asked.has(name)) continue;
    if (field instanceof Shown) {
      parts.push({ name, show: field.show });
      for (const [source, needed] of Object.entries<readonly string[]>(field.needs))
        for (const path of needed) (paths[source] ??= new Set()).add(path);
    } else parts.push({ name, show: showing(field, asked?.get(name)?.below, paths) });
  }
  return (from) => {
    const shown: Record<string, unknown> = {};
    for (const { name, show } of parts) shown[name] = show(from);
    return shown;
  };
}
