import {
  type DirectiveNode,
  type DocumentNode,
  type FieldNode,
  Kind,
  type OperationDefinitionNode,
  type SelectionNode,
  type ValueNode,
  valueFromASTUntyped,
} from 'graphql';

export interface Requested {
  document: DocumentNode;
  /** Undefined if the document has no operation with the requested name. */
  operation: OperationDefinitionNode | undefined;
  variables: Readonly<Record<string, unknown>>;
}

/** The value of a variable. It may have the wrong type. */
type ValueOf = (name: string) => unknown;

/** Reads arguments, and remembers what it read besides the document. */
export class GivenValues {
  private readonly read: { of: (valueOf: ValueOf) => unknown; was: unknown }[] = [];

  constructor(private readonly valueOfVariable: ValueOf) {}

  /** Whether what was read would be the same now, with these variables. */
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

  reading<Read>(of: (valueOf: ValueOf) => Read): Read {
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
  ({ operation, variables }: Requested): ValueOf =>
  (name) =>
    Object.hasOwn(variables, name)
      ? variables[name]
      : literalOf(
          operation?.variableDefinitions?.find(({ variable }) => variable.name.value === name)?.defaultValue,
        );

/** Keeps the last result of each operation while what it read is the same: most callers repeat one with the same page size. */
export function keepingLast<Rest extends unknown[], Result>(
  compute: (requested: Requested, given: GivenValues, ...rest: Rest) => Result,
): (requested: Requested, ...rest: Rest) => Result {
  const kept = new WeakMap<DocumentNode | OperationDefinitionNode, { given: GivenValues; result: Result }>();
  return (requested, ...rest) => {
    const { document, operation = document } = requested;
    const valueOf = variableIn(requested);
    const last = kept.get(operation);
    if (last?.given.isSameFor(valueOf)) return last.result;
    const given = new GivenValues(valueOf);
    const result = compute(requested, given, ...rest);
    kept.set(operation, { given, result });
    return result;
  };
}

const literalOf = (value: ValueNode | undefined): unknown => value && valueFromASTUntyped(value);
