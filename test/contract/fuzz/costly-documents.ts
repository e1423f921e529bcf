import {
  getNamedType,
  getOperationAST,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLSchema,
  isLeafType,
  isObjectType,
  parse,
} from 'graphql';
import { pricing } from '../../../src/graphql/bounds/price-operation.js';
import { parseSettings } from '../../../src/settings/settings.js';

/** A field of the schema's root, with arguments that read the costliest records. */
export interface Root {
  kind: 'query' | 'mutation';
  field: string;
  args: readonly string[];
  /** Names the field of its records that is large. */
  records: string;
}

export interface CostlyDocument {
  name: string;
  text: string;
}

/** An update is answered whole, so only the bound of aliases limits its answer. Trusted documents may have more. */
const mostAliases = { query: 200, mutation: 15 };

/** Whether a trusted document is within the default bound of complexity. */
export function permittedIn(schema: GraphQLSchema): (text: string) => boolean {
  const { graphqlMaxComplexity } = parseSettings({});
  const priceOf = pricing(schema);
  return (text) => {
    const document = parse(text);
    try {
      const price = priceOf({ document, operation: getOperationAST(document) ?? undefined, variables: {} });
      return price !== null && price.complexity <= graphqlMaxComplexity;
    } catch {
      return false;
    }
  };
}

/**
 * Documents that select one field at a time, of every type within the root fields, with as many aliases as are permitted: of the field,
 * or of the root field. Also selects all fields of each object at once.
 */
export function* costlyDocuments(
  schema: GraphQLSchema,
  roots: readonly Root[],
  isPermitted: (text: string) => boolean,
  /** Makes only one document in so many: finding its size takes longer than running it. */
  step: number,
): Generator<CostlyDocument> {
  let index = 0;
  for (const root of roots) {
    const type = root.kind === 'query' ? schema.getQueryType() : schema.getMutationType();
    const field = type?.getFields()[root.field];
    if (!field) throw new Error(`the schema has no ${root.kind} ${root.field}`);
    for (const { path, selection } of selectionsWithin(field, [], new Set()))
      // All fields together have no alias of their own.
      for (const level of [0, selection.name === '*' ? path.length - 1 : path.length]) {
        index += 1;
        const found = index % step === 0 && largest(root, { path, selection, level }, isPermitted);
        if (found) yield found;
      }
  }
}

interface Selection {
  /** The fields from the root field to the object. */
  path: readonly string[];
  /** A field of the object, with everything below it, or all of its fields. */
  selection: { name: string; text: string };
}

/** @param seen the types already selected from: a job has seven references */
function* selectionsWithin(
  field: GraphQLField<unknown, unknown>,
  path: readonly string[],
  seen: Set<string>,
): Generator<Selection> {
  const type = getNamedType(field.type);
  if (!isObjectType(type) || seen.has(type.name)) return;
  seen.add(type.name);
  const here = [...path, path.length === 0 ? '' : called(field)];
  const fields = Object.values(type.getFields());
  for (const each of fields) {
    yield { path: here, selection: { name: each.name, text: whole(each, [type.name]) } };
    yield* selectionsWithin(each, here, seen);
  }
  const all = fields.map((each) => whole(each, [type.name]));
  yield { path: here, selection: { name: '*', text: all.join(' ') } };
}

/** A page inside a page; `largest` fills in its size. */
const pageSize = '$FIRST';
const called = ({ name, args }: GraphQLField<unknown, unknown>): string =>
  args.some((each) => each.name === 'first') ? `${name}(first: ${pageSize})` : name;

/** @param around the types that this field is within: the graph leads from a job to its media, and back to its jobs */
function whole(field: GraphQLField<unknown, unknown>, around: readonly string[]): string {
  const type = getNamedType(field.type);
  if (isLeafType(type)) return called(field);
  const within = [...around, type.name];
  const fields = Object.values((type as GraphQLObjectType).getFields()).filter(
    (each) => !within.includes(nodeOf(each)),
  );
  return `${called(field)} { ${fields.map((each) => whole(each, within)).join(' ')} }`;
}

/** The type of a field, or of the records of its pages. */
const nodeOf = ({ type }: GraphQLField<unknown, unknown>): string =>
  getNamedType(type).name.replace(/Connection$/, '');

const pageSizes = { outer: [100, 30, 10], inner: [100, 20, 3] };

interface Wanted extends Selection {
  /** Where in the path the aliases are; its length means the selection itself. */
  level: number;
}

/** The document with the largest pages that are permitted, and then the most aliases. */
function largest(
  root: Root,
  wanted: Wanted,
  isPermitted: (text: string) => boolean,
): CostlyDocument | undefined {
  for (const outer of pageSizes.outer)
    for (const inner of pageSizes.inner) {
      const textOf = (count: number) => written(root, wanted, count, { outer, inner });
      if (!isPermitted(textOf(1))) continue;
      let [count, tooMany] = [1, mostAliases[root.kind] + 1];
      while (tooMany - count > 1) {
        const middle = Math.floor((count + tooMany) / 2);
        if (isPermitted(textOf(middle))) count = middle;
        else tooMany = middle;
      }
      return { name: nameOf(root, wanted, count), text: textOf(count) };
    }
  return undefined;
}

function written(
  { kind, field, args }: Root,
  { path, selection, level }: Wanted,
  count: number,
  { outer, inner }: { outer: number; inner: number },
): string {
  const aliased = (text: string, at: number) =>
    at === level ? Array.from({ length: count }, (_, index) => `a${index}: ${text}`).join(' ') : text;
  const call = args.length > 0 ? `${field}(${args.join(', ').replace(pageSize, String(outer))})` : field;
  const text = path.reduceRight(
    (within, name, at) => aliased(`${at === 0 ? call : name} { ${within} }`, at),
    aliased(selection.text, path.length),
  );
  return `${kind} { ${text.replaceAll(pageSize, String(inner))} }`;
}

const nameOf = ({ field, records }: Root, { path, selection, level }: Wanted, count: number): string => {
  const names = [field, ...path.slice(1), selection.name].map((name) => name.replace(/\(.*/, ''));
  const places = names.map((name, at) => (at === level ? `${count} × ${name}` : name));
  return `${places.join(' › ')} (${records})`;
};
