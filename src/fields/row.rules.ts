import { type LocalisedText } from '../errors/catalogue.js';
import { type Nullable } from './field-reader.rules.js';
import { type WritableField, type FieldTable, type FieldInput } from './fields.rules.js';
import { type InputValue } from './field-types.rules.js';

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

/** A key of the documented reply, or one that only reads have, because the reply of a mutation cannot have more keys. */
export type RestKey = string | { inReads: string } | null;
export const inReads = (key: string) => ({ inReads: key });

/** In place of a key: the fields of the object become keys of its parent, all null if the object is null. */
export const spread = '';

/** How REST shows a GraphQL null, if not as null: as the empty text, or as no key. */
export type IfNull = 'empty' | 'absent';

/** Options that only some fields have. */
interface More {
  ifNull?: IfNull;
  /** Not in lists over REST. */
  isLong?: true;
  /** The rows of the object, or of the objects in a list. */
  of?: Rows;
  /** The object is null where this is not true. */
  isVisible?: Source<boolean>;
  /** The input that callers can write. */
  input?: FieldInput;
}

/** Where the value of a field comes from. */
interface Source<Value> {
  /** Where its input is stored. */
  path: string;
  needs: Readonly<Record<string, readonly string[]>>;
  show: (from: never) => Value;
}

/** One field of an object: where its value comes from, what callers can write, and its key over REST. Its class says all else. */
export interface Row extends More, Partial<Source<unknown>> {
  /** Absent if a resolver of its own shows the field. */
  rest?: RestKey;
}
export type Rows = Readonly<Record<string, Row>>;

/** The fields of an object that is shown as a whole. */
export type RowsFor<Value> = {
  readonly [Name in keyof Value]-?: More & { rest: RestKey };
};

/** One field. Without a source, it is shown with its object, or is itself an object of rows. */
export const field = <const Extra extends More & Partial<Source<unknown>>>(
  rest: RestKey,
  more?: Extra & Readonly<Record<Exclude<keyof Extra, keyof Row>, never>>,
) => ({ rest, ...(more as Extra) });

/** Returns the makers of the sources of a record's fields. `Context` has what needs no read, such as the language. */
export const sourcesOf = <Sources, Context, Main extends keyof Sources & string>(main: Main) => ({
  /** A field is shown as it is stored. */
  stored<Path extends PathOf<Sources[Main]>>(this: void, path: Path): Source<At<Sources[Main], Path>> {
    const [key = '', part] = path.split('.');
    type Stored = Record<Main, Record<string, never>>;
    const show =
      part === undefined ? (from: Stored) => from[main][key] : (from: Stored) => from[main][key]![part];
    return { path, needs: { [main]: [path] }, show: show as never };
  },

  /** A field is computed from the stored paths that it needs. Its input is stored at the first path of the record. */
  from: <const Needed extends Needs<Sources>, Value>(
    needs: Needed,
    show: (from: Read<Sources, Needed> & Context) => Value,
  ) => ({ path: needs[main]?.[0] ?? '', needs, show }) as unknown as Source<Value>,
});

/** The view that the rows describe. */
export type ViewOf<Fields> = {
  -readonly [Name in keyof Fields]: Fields[Name] extends { show: (from: never) => infer Value }
    ? Value
    : Fields[Name] extends { of: infer Below }
      ? ViewOf<Below> | (Fields[Name] extends { isVisible: unknown } ? null : never)
      : never;
};

/** The inputs of the rows, by input name. In an editor, each name leads to its row. */
export type InputOf<Fields> = {
  readonly [Name in keyof Fields as FlatName<Fields[Name], Name>]?: Nullable<InputValue>;
} & Both<
  { [Name in keyof Fields]: Fields[Name] extends Below<infer Inner> ? InputOf<Inner> : never }[keyof Fields]
>;

type FlatName<Row, Name> = Row extends { input: infer Input }
  ? Input extends { as: infer As extends string }
    ? As
    : Name & string
  : never;

/** The names of the rows' inputs in GraphQL, which has lists of ids, and nests the parts of an object. */
export type InputNames<Fields> = {
  [Name in keyof Fields]: Fields[Name] extends { input: { type: { list: { name: infer List } } } }
    ? List
    : Fields[Name] extends { input: { object: { path: infer Path } } }
      ? Path
      : Fields[Name] extends Below<infer Inner>
        ? InputNames<Inner> | FlatName<Fields[Name], Name>
        : FlatName<Fields[Name], Name>;
}[keyof Fields] &
  string;

/** An object that is not a record of its own. */
type Below<Inner> = { of: Inner; isVisible?: never };

type Both<Union> = (Union extends unknown ? (each: Union) => void : never) extends (all: infer All) => void
  ? All
  : never;

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

const inputsIn = (rows: Rows, object = ''): [string, WritableField][] =>
  Object.entries(rows).flatMap(([name, { path = `${object}.${name}`, input, isVisible, of }]) => [
    ...(input ? [[input.as ?? name, { ...input, path }] satisfies [string, WritableField]] : []),
    ...(of && !isVisible ? inputsIn(of, path) : []),
  ]);

/** The view of a record that has all defaults. Leaves out the rows that need more. @param blank the defaults, by record */
export function blankView(rows: Rows, blank: Readonly<Record<string, object>>): Record<string, unknown> {
  const isBlank = ([source, paths]: [string, readonly string[]]) =>
    paths.every((path) => (path.split('.')[0] ?? '') in (blank[source] ?? {}));
  const views = Object.entries(rows).flatMap(([name, { needs, show, of }]) => {
    if (!show) return of ? [[name, blankView(of, blank)] as const] : [];
    return Object.entries(needs ?? {}).every(isBlank) ? [[name, show(blank as never)] as const] : [];
  });
  return Object.fromEntries(views);
}

export const localisedText = { en: field('en'), fr: field('fr') } satisfies RowsFor<LocalisedText>;

/** How many public ids a node's id is made of: that of the record and, of a company, before it that of the media that shows it. */
const keyLengths = { Job: 1, Company: 2, Media: 1 };
export type NodeTypeName = keyof typeof keyLengths;

export interface NodeKey {
  typeName: NodeTypeName;
  key: readonly string[];
}

/** Opaque to callers. Public ids have no spaces and never change, so a node keeps its id. */
export const nodeId = (typeName: NodeTypeName, ...key: string[]): string =>
  Buffer.from([typeName, ...key].join(' ')).toString('base64url');

/** Null if the id is malformed. */
export function readNodeId(id: string): NodeKey | null {
  const text = Buffer.from(id, 'base64url').toString();
  if (Buffer.from(text).toString('base64url') !== id) return null;
  const [typeName = '', ...key] = text.split(' ');
  return Object.hasOwn(keyLengths, typeName) && key.length === keyLengths[typeName as NodeTypeName]
    ? { typeName: typeName as NodeTypeName, key }
    : null;
}
