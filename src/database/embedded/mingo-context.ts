import { Context, Query } from 'mingo';

type OperatorKind = Parameters<Context['getOperator']>[0];

/** What mingo hands an operator besides its operands. */
export type MingoOptions = NonNullable<ConstructorParameters<typeof Query>[1]>;

/**
 * mingo's own operators. Its package exports them only inside a context that it merges for itself, in which
 * its operators win over ours, so the context is taken from the options that it hands to a probe.
 */
const mingoContext: Context = (() => {
  let captured: Context | undefined;
  const probe = (_path: string, _operand: unknown, options: MingoOptions) => {
    captured = options.context;
    return () => true;
  };
  new Query({ field: { $probe: 1 } }, { context: Context.init({ query: { $probe: probe } }) });
  if (captured === undefined) throw new Error('mingo did not hand over its context');
  return captured;
})();

/** One of mingo's operators by kind and name, or undefined. */
export function mingoOperator(kind: 'query' | 'expression' | 'accumulator', name: string): unknown {
  return mingoContext.getOperator(kind as OperatorKind, name) ?? undefined;
}
