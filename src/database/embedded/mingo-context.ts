import { Context, Query as FullQuery } from 'mingo';
import { Query } from 'mingo/query';
import type { BsonDocument } from './bson-document.js';

type OperatorKind = Parameters<Context['getOperator']>[0];

/** What mingo hands an operator besides its operands. */
export type MingoOptions = NonNullable<ConstructorParameters<typeof FullQuery>[1]>;

/**
 * mingo's own operators. Its package exports them only inside a context that it merges for itself, in which
 * its operators win over ours, so the context is taken from the options that it hands to a probe.
 */
const mingoContext = capture(FullQuery, Context.init(), {}).context;

/** One of mingo's operators by kind and name, or undefined. */
export function mingoOperator(kind: 'query' | 'expression' | 'accumulator', name: string): unknown {
  return mingoContext?.getOperator(kind as OperatorKind, name) ?? undefined;
}

/**
 * Gives the options under which mingo uses a context's operators.
 * @returns a function of the variables of `let`
 */
export function optionsFor(context: Context): (variables: BsonDocument) => MingoOptions {
  // Making them copies every operator, at a multiple of the cost of most queries.
  const withoutVariables = capture(Query, context, {});
  return (variables) =>
    Object.keys(variables).length === 0 ? withoutVariables : capture(Query, context, variables);
}

/** The options as mingo itself holds them, which it takes back without copying. */
function capture(QueryClass: typeof Query, context: Context, variables: BsonDocument): MingoOptions {
  let captured: MingoOptions | undefined;
  const probe = (_path: string, _operand: unknown, options: MingoOptions) => {
    captured = options;
    return () => true;
  };
  new QueryClass(
    { field: { $probe: 1 } },
    {
      context: Context.from(context, Context.init({ query: { $probe: probe } })),
      variables,
      scriptEnabled: false,
    },
  );
  if (captured === undefined) throw new Error('mingo did not hand over its options');
  return captured;
}
