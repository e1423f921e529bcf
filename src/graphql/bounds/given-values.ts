import {
  type DirectiveNode,
  type FieldNode,
  Kind,
  type OperationDefinitionNode,
  type SelectionNode,
  type ValueNode,
} from 'graphql';

/** Reads arguments that are literals or variables, and remembers the variables that it read. */
export class GivenValues {
  readonly read = new Map<string, unknown>();

  constructor(private readonly valueOfVariable: (name: string) => unknown) {}

  argument({ arguments: given = [] }: FieldNode | DirectiveNode, argument: string): unknown {
    const value = given.find(({ name }) => name.value === argument)?.value;
    if (value?.kind !== Kind.VARIABLE) return literalOf(value);
    const name = value.name.value;
    this.read.set(name, this.valueOfVariable(name));
    return this.read.get(name);
  }

  /** Whether `@skip` or `@include` leaves out the selection. */
  isLeftOut({ directives = [] }: SelectionNode): boolean {
    return directives.some((directive) => {
      const { value: name } = directive.name;
      return (name === 'skip' || name === 'include') && this.argument(directive, 'if') === (name === 'skip');
    });
  }
}

/** The value of a variable, or the operation's default. It may have the wrong type. */
export const variableIn =
  ({ variableDefinitions = [] }: OperationDefinitionNode, variables: Readonly<Record<string, unknown>>) =>
  (name: string): unknown =>
    Object.hasOwn(variables, name)
      ? variables[name]
      : literalOf(variableDefinitions.find(({ variable }) => variable.name.value === name)?.defaultValue);

function literalOf(value: ValueNode | undefined): unknown {
  if (value?.kind === Kind.LIST) return value.values.map(literalOf);
  if (value?.kind === Kind.INT) return Number(value.value);
  return value?.kind === Kind.ENUM || value?.kind === Kind.BOOLEAN ? value.value : undefined;
}
