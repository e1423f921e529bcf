import type { BsonDocument } from './bson-document.js';
import { hasOperator } from './bson-document.js';
import { compileFilter, type Filter } from './filter.js';
import { child } from './update-path.js';

interface Condition {
  path: string;
  condition: unknown;
}

/**
 * Finds the element that a query matched in an array, for the positional `$` of updates and projections: the
 * first one that alone in its array satisfies the query's conditions on that array.
 */
export function positionFinder(
  filter: BsonDocument,
): (document: BsonDocument, arrayPath: string) => number | undefined {
  const conditions = conditionsOf(filter);
  return (document, arrayPath) => {
    const array = arrayPath.split('.').reduce<unknown>(child, document);
    const tests = elementFilters(conditions, arrayPath);
    if (!Array.isArray(array) || tests.length === 0) return undefined;
    const position = array.findIndex((element: unknown) => tests.every((test) => test({ array: [element] })));
    return position < 0 ? undefined : position;
  };
}

function elementFilters(conditions: readonly Condition[], arrayPath: string): Filter[] {
  return conditions
    .filter(({ path }) => path === arrayPath || path.startsWith(`${arrayPath}.`))
    .map(({ path, condition }) => compileFilter({ [`array${path.slice(arrayPath.length)}`]: condition }));
}

function conditionsOf(filter: BsonDocument): Condition[] {
  return Object.entries(filter).flatMap(([name, operand]): Condition[] => {
    if (name === '$and') return (operand as BsonDocument[]).flatMap(conditionsOf);
    if (name.startsWith('$')) return [];
    // A negation holds for an array as a whole and so points at no element.
    const isNegation =
      hasOperator(operand) && ['$ne', '$nin', '$not'].some((operator) => operator in operand);
    return isNegation ? [] : [{ path: name, condition: operand }];
  });
}
