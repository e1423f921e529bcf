import { type ReferenceKind, type ReferenceSnapshot } from '../fields/reference-snapshot.js';
import { type Rows } from '../fields/row.rules.js';
import { allOf, distinctIds, matchesNothing, type Query } from './query.rules.js';

/** A condition of a list that follows from a row of its records: on references, or on one text. */
export type FieldFilter = { description: string } & (
  { references: ReferenceKind; path: string } | { query: (text: string) => Query }
);

/** By the name in the filter, such as `contractIds` or `place`. */
export type FilterTable = Readonly<Record<string, FieldFilter>>;

/** A row whose input refers to references is a filter by their ids. */
export const filtersOf = (rows: Rows): FilterTable =>
  Object.fromEntries(
    Object.entries(rows).flatMap(([name, { path = '', input }]): [string, FieldFilter][] => {
      const refersTo = input?.type.refersTo;
      if (!input?.as || !refersTo) return [];
      const among = input.type.list ? 'have one of' : 'is one of';
      const description = `Only records whose \`${name}\` ${among} these references: 24-hex ids or public ids, at most 100.`;
      return [[`${input.as}s`, { description, references: refersTo.kind, path }]];
    }),
  );

/** The ids that a filter asks for, by the name of one: `contractId` → the `contractIds`. */
export const idsByName = (table: FilterTable, filter: object): Record<string, readonly string[] | null> =>
  Object.fromEntries(
    Object.entries(table).flatMap(([name, each]) =>
      'references' in each ? [[name.slice(0, -1), (filter as Asked)[name] as string[] | null]] : [],
    ),
  );

type Asked = Readonly<Record<string, string | readonly string[] | null | undefined>>;

/** `within` is for the index of a list: it matches nothing where `behind` can't, so that no database searches for that. */
export interface FieldConditions {
  within: Query;
  behind: Query;
}

/** @param read called only if the filter asks for references */
export async function fieldConditions(
  table: FilterTable,
  filter: object,
  read: () => Promise<ReferenceSnapshot>,
): Promise<FieldConditions> {
  const conditions: Query[] = [];
  for (const [name, each] of Object.entries(table)) {
    const asked = (filter as Asked)[name];
    if (asked === null || asked === undefined) continue;
    if ('query' in each) conditions.push(each.query(String(asked)));
    else {
      const snapshot = await read();
      const ids = distinctIds([asked].flat())?.flatMap((id) => snapshot.find(each.references, id)?._id ?? []);
      conditions.push(ids?.length ? { [each.path]: { $in: ids } } : matchesNothing);
    }
  }
  if (conditions.includes(matchesNothing)) return { within: matchesNothing, behind: {} };
  return { within: {}, behind: allOf(...conditions) };
}
