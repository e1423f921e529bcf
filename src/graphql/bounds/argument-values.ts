import {
  type DocumentNode,
  type FieldNode,
  type OperationDefinitionNode,
  type SelectionNode,
  valueFromASTUntyped,
} from 'graphql';

export interface RequestedOperation {
  document: DocumentNode;
  /** Undefined if the document has no operation with the requested name. */
  operation: OperationDefinitionNode | undefined;
  variables: Readonly<Record<string, unknown>>;
}

/** The values of variables, by name. A value may have the wrong type. */
type Variables = RequestedOperation['variables'];

/** Reads arguments, and remembers what it read besides the document. */
export class ArgumentValues {
  private readonly read: { of: (variables: Variables) => unknown; was: unknown }[] = [];

  constructor(private readonly variables: Variables) {}

  /** Whether what was read would be the same now, with these variables. */
  isSameFor = (variables: Variables): boolean => this.read.every(({ of, was }) => of(variables) === was);

  /** What `read` makes of the value of an argument; default: the value. Make a scalar: later calls compare with it. */
  argument<Read = unknown>(
    { arguments: passed = [] }: Pick<FieldNode, 'arguments'>,
    argument: string,
    read = (value: unknown) => value as Read,
  ): Read {
    const value = passed.find(({ name }) => name.value === argument)?.value;
    return value ? this.reading((variables) => read(valueFromASTUntyped(value, variables))) : read(undefined);
  }

  reading<Read>(of: (variables: Variables) => Read): Read {
    const was = of(this.variables);
    this.read.push({ of, was });
    return was;
  }

  /** Whether `@skip` or `@include` leaves out the selection. */
  isLeftOut({ directives = [] }: SelectionNode): boolean {
    return directives.some((directive) => {
      const { value: name } = directive.name;
      return (name === 'skip' || name === 'include') && this.argument(directive, 'if') === (name === 'skip');
    });
  }
}

/** The values of an operation's variables or, if absent, their defaults. */
const variablesIn = ({ operation, variables }: RequestedOperation): Variables => {
  const defaults = (operation?.variableDefinitions ?? []).flatMap(({ variable, defaultValue }) =>
    defaultValue ? [[variable.name.value, valueFromASTUntyped(defaultValue)] as const] : [],
  );
  // A variable can be called `constructor`, which other objects inherit.
  return { __proto__: null, ...Object.fromEntries(defaults), ...variables };
};

/** Keeps the last result of each operation while what it read is the same: most callers repeat one with the same page size. */
export function keepingLast<Rest extends unknown[], Result>(
  compute: (requested: RequestedOperation, values: ArgumentValues, ...rest: Rest) => Result,
): (requested: RequestedOperation, ...rest: Rest) => Result {
  const kept = new WeakMap<
    DocumentNode | OperationDefinitionNode,
    { values: ArgumentValues; result: Result }
  >();
  return (requested, ...rest) => {
    const { document, operation = document } = requested;
    const variables = variablesIn(requested);
    const last = kept.get(operation);
    if (last?.values.isSameFor(variables)) return last.result;
    const values = new ArgumentValues(variables);
    const result = compute(requested, values, ...rest);
    kept.set(operation, { values: values, result });
    return result;
  };
}
