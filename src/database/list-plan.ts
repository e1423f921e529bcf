import { type ListSort, orders } from '../paging/page.js';
import { allOf, type Query } from '../paging/query.rules.js';

/** An index that lists read. Its keys are the fields `equal`, then those of the order, then `covered`. */
export interface ListIndex {
  /** The list compares each of these fields with one value, or with a few. */
  equal: readonly string[];
  order: ListSort;
  /** Further fields that conditions need, so that they read no record. */
  covered?: readonly string[];
}

export interface ListPlan {
  /** The conditions that say which entries of the index the list looks at. */
  bounds: Query;
  /** The conditions on these entries. Empty if the index serves the whole list. */
  rest: Query;
  /** The fields of `rest`. */
  fields: readonly string[];
  /** Makes the database read the index. Empty if the list needs several. */
  hint: { hint?: Record<string, 1> };
  /** Whether the index has these fields and those of `rest`. */
  covers: (...fields: readonly string[]) => boolean;
}

/** Ascending: a descending order reads the index backwards. */
export const indexKey = ({ equal, order, covered = [] }: ListIndex): Record<string, 1> =>
  Object.fromEntries(
    [...equal, ...Object.keys(orders[order].sort), ...covered].map((field) => [field, 1 as const]),
  );

/** MongoDB merges as many scans of an index in the order of the list. Beyond, it would read and sort everything they match. */
const mostScans = 200;

/** Chooses the index that serves most conditions. The bounds always hold `reach`: records out of reach must not end a page. */
export function planList(
  indexes: readonly ListIndex[],
  { reach, filter }: { reach: Query; filter: Query },
  sort: ListSort,
): ListPlan {
  const [reached, asked] = [conjunctsOf(reach), conjunctsOf(filter)];
  const comparedIn = (conjuncts: readonly Conjunct[]) => conjuncts.filter(isEquality).map(([field]) => field);
  const [needed, compared] = [comparedIn(reached), comparedIn([...reached, ...asked])];
  const scansOf = ({ equal }: ListIndex) =>
    asked.reduce((scans, [field, condition]) => scans * (equal.includes(field) ? valuesIn(condition) : 1), 1);
  const [index] = indexes
    .filter(({ order }) => order === sort)
    .filter(({ equal }) => equal.every((field) => compared.includes(field)))
    .filter((each) => needed.every((field) => field in indexKey(each)))
    .filter((each) => scansOf(each) <= mostScans)
    .sort((one, other) => other.equal.length - one.equal.length);
  const bounds = [...reached];
  const rest: Conjunct[] = [];
  const [first] = Object.keys(orders[sort].sort);
  for (const conjunct of asked) {
    const [field, condition] = conjunct;
    if (reached.some(([other, same]) => other === field && same === condition)) continue;
    const isServed = field === first || (index?.equal.includes(field) && isEquality(conjunct));
    (isServed && !bounds.some(([other]) => other === field) ? bounds : rest).push(conjunct);
  }
  const fields = fieldsOf(rest);
  // A reach of several roles reads several indexes.
  const key = index && reached.every(([field]) => field !== '$or') ? indexKey(index) : undefined;
  return {
    bounds: joined(bounds),
    rest: joined(rest),
    fields,
    hint: key ? { hint: key } : {},
    covers: (...others) =>
      key !== undefined && [...fieldsOf(bounds), ...fields, ...others].every((field) => field in key),
  };
}

/** A plan for each role of a reach of several roles: no database reads their indexes in the order of the list. */
export const planRoles = (...[indexes, { reach, filter }, sort]: Parameters<typeof planList>): ListPlan[] =>
  rolesIn(reach).map((role) => planList(indexes, { reach: role, filter }, sort));

function rolesIn(reach: Query): Query[] {
  const conjuncts = conjunctsOf(reach);
  const several = conjuncts.find(([field]) => field === '$or');
  if (!several) return [reach];
  const others = joined(conjuncts.filter((each) => each !== several));
  return (several[1] as Query[]).flatMap((one) => rolesIn(allOf(others, one)));
}

type Conjunct = readonly [field: string, condition: unknown];

const joined = (conjuncts: readonly Conjunct[]): Query =>
  allOf(...conjuncts.map(([field, condition]) => ({ [field]: condition })));

function conjunctsOf(query: Query): Conjunct[] {
  return Object.entries(query).flatMap(([field, condition]) => {
    if (field === '$and') return (condition as Query[]).flatMap(conjunctsOf);
    const [one, ...others] = field === '$or' ? (condition as Query[]) : [];
    return one && others.length === 0 ? conjunctsOf(one) : [[field, condition] as const];
  });
}

const isEquality = ([field, condition]: Conjunct): boolean =>
  !field.startsWith('$') &&
  (typeof condition === 'string' ||
    typeof condition === 'boolean' ||
    Array.isArray((condition as { $in?: unknown } | null)?.$in));

const valuesIn = (condition: unknown): number =>
  Math.max(1, (condition as { $in?: readonly unknown[] } | null)?.$in?.length ?? 1);

const fieldsOf = (conjuncts: readonly Conjunct[]): string[] =>
  conjuncts.flatMap(([field, condition]) =>
    field === '$or' ? (condition as Query[]).flatMap((one) => fieldsOf(conjunctsOf(one))) : [field],
  );
