import { type LocalisedText } from '../errors/catalogue.js';
import { type RootField } from '../operations.js';
import { type FieldTable, type ReadContext, type Written } from './fields.rules.js';

type PathOf<Stored> = (keyof Stored & string) | `${keyof Stored & string}.${string}`;

export type Head<Path> = Path extends `${infer First}.${string}` ? First : Path;

type At<Stored, Path> = Path extends `${infer First}.${infer Rest}`
  ? At<Stored[First & keyof Stored], Rest>
  : Stored[Path & keyof Stored];

/** The needed stored paths, by record. */
type Needs<Sources> = { readonly [Source in keyof Sources]?: readonly PathOf<Sources[Source]>[] };

/** The records, with only the fields that these paths cover: reading any other field does not compile. */
type Read<Sources, Needed extends Needs<Sources>> = {
  [Source in keyof Needed & keyof Sources]: Needed[Source] extends readonly (infer Path)[]
    ? Pick<Sources[Source], Head<Path> & keyof Sources[Source]>
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
export interface ObjectType<Rows = AnyRows> {
  description: string;
  /** Whether its `id` is unique in the whole graph. */
  isNode?: boolean;
  fields: Rows;
}

/** In place of a key: the fields of the object become keys of its parent, all null if the object is null. */
export const spread = '';

/** How REST shows a GraphQL null, if not as null: as the empty text, or as no key (Contract 2.5). */
export type IfNull = 'empty' | 'absent';

/** A key of the documented reply, or one that only reads have, because the reply of an update cannot have more keys. */
type RestKey = string | { inReads: string };

type Plain = string | number | boolean | Date | null | undefined;
type Inner<Value> = Value extends readonly (infer Element)[] ? Element : Value;

/** What REST shows of a field, and who sees it. */
type Rest<Value> = {
  /** Callers that may not run this operation get null and an error (Contract 5.8). */
  for?: null extends Value ? RootField : never;
  /** Not in lists over REST. */
  isLong?: true;
  deprecationReason?: string;
} & { rest: RestKey | null } & (null extends Value ? { ifNull?: IfNull } : { ifNull?: never }) &
  (Inner<Value> extends Plain
    ? { of?: never }
    : { of: ObjectType<Record<keyof NonNullable<Inner<Value>>, AnyRow>> });

/** The fields of an object that is shown as a whole. */
export type Parts<Value> = {
  readonly [Name in keyof Value]-?: { type: Sdl<Value[Name]>; description: string } & Rest<Value[Name]>;
};

/** One of {@link Parts}. */
export const part = <const Type extends string, const Shown extends string | null | Pick<AnyRow, 'rest'>>(
  type: Type,
  description: string,
  rest: Shown,
) =>
  ({ type, description, ...(typeof rest === 'object' && rest ? rest : { rest }) }) as {
    type: Type;
    description: string;
  } & (Shown extends object ? Shown : { rest: Shown });

/** One field of a record: what it needs and shows, what both APIs tell of it, and what callers may write to it. */
export interface AnyRow {
  /** Absent if a resolver of its own shows the field. */
  type?: string;
  description?: string;
  rest?: RestKey | null;
  ifNull?: IfNull;
  for?: RootField;
  isLong?: true;
  deprecationReason?: string;
  of?: ObjectType;
  needs?: Readonly<Record<string, readonly string[]>>;
  show?: (from: never) => unknown;
  isShown?: (from: never) => boolean;
  input?: unknown;
}
export type AnyRows = Readonly<Record<string, AnyRow>>;

/** Where a field comes from. Inputs are stored at `path`. */
interface Source<Value, Path> {
  path: Path;
  needs: Readonly<Record<string, readonly string[]>>;
  show: (from: never) => Value;
}

interface Row<Value, Input> extends AnyRow {
  show: (from: never) => Value;
  input: Input;
}

type Inputs<Context extends ReadContext> = Readonly<Record<string, Written<Context>>>;
type None = Record<never, never>;
/** Without an argument, `Input` is inferred as any table. */
type Placed<Input, Path> = string extends keyof Input
  ? None
  : {
      readonly [Name in keyof Input]: Input[Name] & {
        path: Input[Name] extends { part: infer Part extends string } ? `${Path & string}.${Part}` : Path;
      };
    };
type First<List> = List extends readonly [infer Path, ...unknown[]] ? Path : never;

/** Returns the makers of a record's rows. `Context` has what needs no read, such as the language; `Reading` is for `store` of inputs. */
export const rowsOf =
  <Sources, Context, Reading extends ReadContext>() =>
  <Main extends keyof Sources & string>(main: Main) => ({
    /** A field as it is stored. */
    stored<Path extends PathOf<Sources[Main]>>(
      this: void,
      path: Path,
    ): Source<At<Sources[Main], Path>, Path> {
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
    ) => ({ path: needs[main]?.[0], needs, show }) as unknown as Source<Value, First<Needed[Main]>>,

    /** @param rest a text or null is short for `{ rest }`; `input` is what callers may write, by GraphQL input name */
    field: <Value, Path, const Input extends Inputs<Reading>>(
      { path, needs, show }: Source<Value, Path>,
      type: Sdl<Value>,
      description: string,
      rest: (Rest<Value> & { input?: Input }) | (Inner<Value> extends Plain ? string | null : never),
    ): Row<Value, Placed<Input, Path>> => {
      const told: AnyRow = typeof rest === 'object' && rest ? rest : { rest };
      const inputs = Object.entries((told.input ?? {}) as Inputs<Reading>).map(([name, each]) => [
        name,
        { ...each, path: 'part' in each ? `${String(path)}.${each.part}` : path },
      ]);
      return { ...told, type, description, needs, show, input: Object.fromEntries(inputs) as never };
    },
  });

/** An input whose name is a parameter. */
export const named = <const Name extends string, const Input>(name: Name, input: Input) =>
  ({ [name]: input }) as Record<Name, Input>;

/** An object whose fields are rows. `itself` describes the object type; default: as the field. */
export const object = <Rows extends AnyRows>(
  type: `${string}!`,
  description: string,
  rest: { rest: RestKey | null; isLong?: true; itself?: string },
  fields: Rows,
) => ({ type, description, ...rest, of: { description: rest.itself ?? description, fields } });

/** An object that is null where its source is not true. REST does not show it. */
export const objectWhere = <Of extends ObjectType>(
  { needs, show }: Source<boolean, unknown>,
  type: string,
  description: string,
  { for: operation, of }: { for: RootField; of: Of },
) => ({ type, description, rest: null, for: operation, of, needs, isShown: show });

/** What the rows show. */
export type ShownOf<Rows> = {
  -readonly [Name in keyof Rows]: Rows[Name] extends { show: (from: never) => infer Value }
    ? Value
    : Rows[Name] extends { of: { fields: infer Below } }
      ? ShownOf<Below> | (Rows[Name] extends { isShown: unknown } ? null : never)
      : never;
};

type InputIn<Rows> = {
  [Name in keyof Rows]: Rows[Name] extends { isShown: unknown }
    ? never
    : Rows[Name] extends { input: infer Input }
      ? Input
      : Rows[Name] extends { of: { fields: infer Below } }
        ? InputIn<Below>
        : never;
}[keyof Rows];
type Joined<Union> = (Union extends unknown ? (each: Union) => void : never) extends (all: infer All) => void
  ? { readonly [Name in keyof All]: All[Name] }
  : never;
type InputsOf<Rows> = Joined<InputIn<Rows>>;

/** The fields that callers may write. Faults are reported in this order: `first`, then as in the rows. */
export function inputsOf<Rows extends AnyRows>(
  rows: Rows,
  first: readonly (keyof InputsOf<Rows>)[],
): InputsOf<Rows> {
  const inputsIn = (some: AnyRows): [string, unknown][] =>
    Object.values(some).flatMap(({ input, isShown, of }) => [
      ...Object.entries((input ?? {}) as FieldTable),
      ...(of && !isShown ? inputsIn(of.fields) : []),
    ]);
  const all = Object.fromEntries(inputsIn(rows));
  return { ...Object.fromEntries(first.map((name) => [name, all[name as string]])), ...all } as never;
}

export const localisedText = {
  description: 'A text in both languages.',
  fields: {
    en: part('String!', 'In English.', 'en'),
    fr: part('String!', 'In French.', 'fr'),
  } satisfies Parts<LocalisedText>,
};
