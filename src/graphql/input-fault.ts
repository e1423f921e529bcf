import {
  type DocumentNode,
  getNamedType,
  getNullableType,
  type GraphQLError,
  type GraphQLInputType,
  type GraphQLSchema,
  isEnumType,
  isInputObjectType,
  isListType,
  Kind,
  TypeInfo,
  type ValueNode,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import { companyFields } from '../company/company-fields.rules.js';
import { fieldFault, type FieldFault, type typeNames } from '../errors/field-fault.js';
import { type FieldTable, inputPath } from '../fields/fields.rules.js';
import { jobFields } from '../job/job-fields.rules.js';

interface Place {
  path: readonly string[];
  type: GraphQLInputType | undefined;
}

/** The fault in the value of a variable, at the argument that takes it, whatever the variable is called (Contract 7.3.4). */
export function inputFault(
  { message, nodes: [node] = [] }: GraphQLError,
  schema: GraphQLSchema,
  document: DocumentNode,
): FieldFault | undefined {
  if (node?.kind !== Kind.VARIABLE_DEFINITION) return undefined;
  const variable = node.variable.name.value;
  const [, within = ''] = / at "([\w.[\]]{1,200})"; /.exec(message) ?? [];
  const [, absent] = /; Field "(\w{1,128})" of required type /.exec(message) ?? [];
  if (/; Field "[^]*" is not defined by type /.test(message)) return undefined;
  const inValue = [...(within.match(/\w+/g) ?? []).slice(1), ...(absent === undefined ? [] : [absent])];
  const taken = placeOf(variable, schema, document);
  if (!taken) return undefined;
  const { path, type } = inValue.reduce(below, taken);
  const isMissing = absent !== undefined || / of required type | non-nullable type /.test(message);
  return { ...faultOf(nameOf(path), type, isMissing), isArgument: true, path };
}

/** Where a document uses a variable: an argument, or a value inside one. */
function placeOf(variable: string, schema: GraphQLSchema, document: DocumentNode): Place | undefined {
  let found: Place | undefined;
  const types = new TypeInfo(schema);
  visit(
    document,
    visitWithTypeInfo(types, {
      Argument({ name, value }) {
        const inside = found ? undefined : pathIn(value, variable);
        if (inside) found = inside.reduce(below, { path: [name.value], type: types.getArgument()?.type });
      },
    }),
  );
  return found;
}

function pathIn(value: ValueNode, variable: string): string[] | undefined {
  if (value.kind === Kind.VARIABLE) return value.name.value === variable ? [] : undefined;
  const parts: [string, ValueNode][] =
    value.kind === Kind.OBJECT
      ? value.fields.map((field) => [field.name.value, field.value])
      : value.kind === Kind.LIST
        ? value.values.map((element, at) => [String(at), element])
        : [];
  for (const [key, part] of parts) {
    const inside = pathIn(part, variable);
    if (inside) return [key, ...inside];
  }
  return undefined;
}

function below({ path, type }: Place, key: string): Place {
  const whole = type && getNullableType(type);
  const part = isListType(whole)
    ? whole.ofType
    : isInputObjectType(whole)
      ? whole.getFields()[key]?.type
      : undefined;
  return { path: [...path, key], type: part };
}

/** As in the field table: REST and import files know no nesting. */
function nameOf(path: readonly string[]): string {
  const names = path.filter((key) => !/^\d+$/.test(key));
  const fields = Object.entries<FieldTable[string]>({ ...jobFields, ...companyFields });
  const named = fields.find(
    ([name, field]) => `input.${inputPath(name, field).join('.')}` === names.join('.'),
  );
  return named?.[0] ?? names.at(-1) ?? '';
}

function faultOf(name: string, type: GraphQLInputType | undefined, isMissing: boolean): FieldFault {
  if (isMissing) return fieldFault.missing(name);
  const nullable = type && getNullableType(type);
  if (isListType(nullable)) return fieldFault.mustBe(name, 'array-of-strings');
  const named = nullable && getNamedType(nullable);
  if (isEnumType(named))
    return fieldFault.oneOf(
      name,
      named.getValues().map((value) => value.name),
    );
  const known = named && typesOfScalars[named.name];
  if (known) return fieldFault.mustBe(name, known);
  return fieldFault.format(name, { en: 'a valid value', fr: 'une valeur valide' }, 'type');
}

const typesOfScalars: Record<string, keyof typeof typeNames> = {
  String: 'string',
  ID: 'string',
  Decimal: 'decimal',
  Upload: 'file',
};
