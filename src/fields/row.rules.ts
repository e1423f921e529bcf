import { type LocalisedText } from '../errors/catalogue.js';
import { type RootField } from '../operations.js';
import { type Field, type FieldTable, type Written } from './fields.rules.js';

type PathOf<Stored> = (keyof Stored & string) | `${keyof Stored & string}.${string}`;

type At<Stored, Path> = Path extends `${infer First}.${infer Rest}`
  ? At<Stored[First & keyof Stored], Rest>
  : Stored[Path & keyof Stored];

/** The needed stored paths, by record. */
type Needs<Sources> = { readonly [Source in keyof Sources]?: readonly PathOf<Sources[Source]>[] };

/** The records, with only the fields that these paths cover: reading any other field does not compile. */
type Read<Sources, Needed extends Needs<Sources>> = {
  [Source in keyof Needed & keyof Sources]: Needed[Source] extends readonly (infer Path)[]
    ? Pick<Sources[Source], (Path extends `${infer First}.${string}` ? First : Path) & keyof Sources[Source]>
    : never;
};

/** A value's type in SDL, such as `[String!]!`. */
type Sdl<Value> = null extends Value ? SdlOf<NonNullable<Value>> : `${SdlOf<Value>}!`;
type SdlOf<Value> = Value extends readonly (infer Element)[]
  ? `[${Sdl<Element>}]`
  : Value extends Date
    ? 'DateTimeISO'
    : Value extends boolean
      ? 'Boolean'
      : Value extends number
        ? 'Int'
        : string extends Value
          ? 'String' | 'ID' | 'Decimal'
          : string;

/** An object type of GraphQL. */
export interface ObjectType {
  description: string;
  /** Whether its `id` is unique in the whole graph. */
  isNode?: boolean;
  fields: Rows;
}

/** In place of a key: the fields of the object become keys of its parent, all null if the object is null. */
export const spread = '';

/** How REST shows a GraphQL null, if not as null: as the empty text, or as no key (Contract 2.5). */
export type IfNull = 'empty' | 'absent';

/** What APIs tell of a field besides its type and description. */
interface Told {
  /** A key of the documented reply, or one that only reads have, because the reply of an update cannot have more keys. */
  rest: string | { inReads: string } | null;
  ifNull?: IfNull;
  /** Callers that may not run this operation get null and an error (Contract 5.8). */
  for?: RootField;
  /** Not in lists over REST. */
  isLong?: true;
  deprecationReason?: string;
  /** The type of the object, or of the objects in a list. */
  of?: ObjectType;
  /** What callers may write: one value, or the scalars of an object by input name. */
  input?: Written;
  inputs?: Readonly<Record<string, Written>>;
}

/** One field of an object. */
export interface Row extends Partial<Told> {
  /** Absent if a resolver of its own shows the field. */
  type?: string;
  description?: string;
  /** Where inputs are stored. */
  path?: string;
  needs?: Readonly<Record<string, readonly string[]>>;
  show?: (from: never) => unknown;
  isShown?: (from: never) => boolean;
}
export type Rows = Readonly<Record<string, Row>>;

/** The fields of an object that is shown as a whole. */
export type Parts<Value> = {
  readonly [Name in keyof Value]-?: Told & { type: Sdl<Value[Name]>; description: string };
};

/** One of {@link Parts}. @param rest a text or null is short for `{ rest }` */
export const part = <const Type extends string>(
  type: Type,
  description: string,
  rest: Told | Told['rest'],
) => ({
  type,
  description,
  ...(isTold(rest) ? rest : { rest }),
});

const isTold = (rest: Told | Told['rest']): rest is Told =>
  typeof rest === 'object' && rest !== null && 'rest' in rest;

/** Where a field comes from. */
interface Source<Value> {
  path: string;
  needs: Readonly<Record<string, readonly string[]>>;
  show: (from: never) => Value;
}

/** One field of a record. @param rest a text or null is short for `{ rest }` */
export const field = <Value>(
  source: Source<Value>,
  type: Sdl<Value>,
  description: string,
  rest: Told | Told['rest'],
) => ({ ...source, ...part<string>(type, description, rest) });

/** Returns the makers of the sources of a record's fields. `Context` has what needs no read, such as the language. */
export const sourcesOf = <Sources, Context, Main extends keyof Sources & string>(main: Main) => ({
  /** A field as it is stored. */
  stored<Path extends PathOf<Sources[Main]>>(this: void, path: Path): Source<At<Sources[Main], Path>> {
    const [key = '', part] = path.split('.');
    type Stored = Record<Main, Record<string, never>>;
    const show =
      part === undefined ? (from: Stored) => from[main][key] : (from: Stored) => from[main][key]![part];
    return { path, needs: { [main]: [path] }, show: show as never };
  },

  /** A field that is computed from the stored paths that it needs. An input is stored at the first path of the record. */
  from: <const Needed extends Needs<Sources>, Value>(
    needs: Needed,
    show: (from: Read<Sources, Needed> & Context) => Value,
  ) => ({ path: needs[main]?.[0] ?? '', needs, show }) as unknown as Source<Value>,
});

/** An object whose fields are rows. `itself` describes the object type; default: as the field. */
export const object = <Fields extends Rows>(
  type: `${string}!`,
  description: string,
  { itself = description, ...told }: Told & { itself?: string },
  fields: Fields,
) => ({ type, description, ...told, of: { description: itself, fields } });

/** An object that is null where its source is not true. REST does not show it. */
export const objectWhere = <Of extends ObjectType>(
  { needs, show }: Source<boolean>,
  type: string,
  description: string,
  told: { for: RootField; of: Of },
) => ({ type, description, rest: null, ...told, needs, isShown: show });

/** What the rows show. */
export type ShownOf<Fields> = {
  -readonly [Name in keyof Fields]: Fields[Name] extends { show: (from: never) => infer Value }
    ? Value
    : Fields[Name] extends { of: { fields: infer Below } }
      ? ShownOf<Below> | (Fields[Name] extends { isShown: unknown } ? null : never)
      : never;
};

/**
 * The fields that callers may write. Faults are reported in this order: `first`, then as in the rows.
 * @throws Error if no row has an input with a name of `first`
 */
export function inputsOf(rows: Rows, first: readonly string[]): FieldTable {
  const all = new Map(inputsIn(rows));
  const named = first.map((name) => {
    const input = all.get(name);
    if (!input) throw new Error(`No row has the input ${name}.`);
    return [name, input] as const;
  });
  return Object.fromEntries([...named, ...all]);
}

const inputsIn = (rows: Rows): [string, Field][] =>
  Object.entries(rows).flatMap(([row, { path = '', input, inputs, isShown, of }]) => [
    ...Object.entries(inputs ?? (input ? { [input.as ?? row]: input } : {})).map(
      ([name, each]): [string, Field] => [
        name,
        { ...each, path: 'part' in each ? `${path}.${each.part}` : path },
      ],
    ),
    ...(of && !isShown ? inputsIn(of.fields) : []),
  ]);

export const localisedText = {
  description: 'A text in both languages.',
  fields: {
    en: part('String!', 'In English.', 'en'),
    fr: part('String!', 'In French.', 'fr'),
  } satisfies Parts<LocalisedText>,
};
