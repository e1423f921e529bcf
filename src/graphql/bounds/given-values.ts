import {
  type DirectiveNode,
  type FieldNode,
  Kind,
  type OperationDefinitionNode,
  type SelectionNode,
  type ValueNode,
  valueFromASTUntyped,
} from 'graphql';

/** The value of a variable. It may have the wrong type. */
export type ValueOf = (name: string) => unknown;

/** Reads arguments, and remembers what it read of variables. */
export class GivenValues {
  private readonly read: { of: (valueOf: ValueOf) => unknown; was: unknown }[] = [];

  constructor(private readonly valueOfVariable: ValueOf) {}

  /** Whether other variables would give what was read. */
  isSameFor = (valueOf: ValueOf): boolean => this.read.every(({ of, was }) => of(valueOf) === was);

  argument({ arguments: given = [] }: FieldNode | DirectiveNode, argument: string): unknown {
    const value = given.find(({ name }) => name.value === argument)?.value;
    if (value?.kind !== Kind.VARIABLE) return literalOf(value);
    const name = value.name.value;
    return this.reading((valueOf) => valueOf(name));
  }

  /** Whether a key of an object that the argument gives is not null. */
  hasKey({ arguments: given = [] }: FieldNode, argument: string, key: string): boolean {
    const value = given.find(({ name }) => name.value === argument)?.value;
    const part =
      value?.kind === Kind.OBJECT ? value.fields.find(({ name }) => name.value === key)?.value : value;
    if (part?.kind !== Kind.VARIABLE) return part !== undefined && part !== value && part.kind !== Kind.NULL;
    return this.reading((valueOf) => {
      const whole = valueOf(part.name.value);
      return (part === value ? (whole as Record<string, unknown> | null | undefined)?.[key] : whole) != null;
    });
  }

  private reading<Read>(of: (valueOf: ValueOf) => Read): Read {
    const was = of(this.valueOfVariable);
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

/** The value of a variable, or the operation's default. */
export const variableIn =
  (
    { variableDefinitions = [] }: OperationDefinitionNode,
    variables: Readonly<Record<string, unknown>>,
  ): ValueOf =>
  (name) =>
    Object.hasOwn(variables, name)
      ? variables[name]
      : literalOf(variableDefinitions.find(({ variable }) => variable.name.value === name)?.defaultValue);

const literalOf = (value: ValueNode | undefined): unknown => value && valueFromASTUntyped(value);
