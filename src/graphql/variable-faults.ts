import {
  BREAK,
  coerceInputValue,
  type DocumentNode,
  getNamedType,
  getNullableType,
  type GraphQLError,
  type GraphQLInputType,
  type GraphQLSchema,
  isEnumType,
  isInputObjectType,
  isListType,
  isRequiredInputField,
  Kind,
  TypeInfo,
  typeFromAST,
  type ValueNode,
  type VariableDefinitionNode,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import { companyFields } from '../company/company-fields.rules.js';
import { fieldFault, type FieldFault, type typeNames } from '../errors/field-fault.js';
import { excerpt } from '../errors/messages.js';
import { type FieldTable, inputPath } from '../fields/fields.rules.js';
import { labelsOf } from '../fields/labels.js';
import { jobFields } from '../job/job-fields.rules.js';
import { type Settings } from '../settings/settings.js';
import { isJsonObject } from '../text/read-json.js';
import { type RequestedOperation } from './bounds/price-operation.js';
import { hidesNames } from './bounds/schema-rules.js';

/** In UTF-16 units. */
const longestMessage = 200;
/** How many UTF-16 units of a message are searched for long names and values. */
const mostLookedAt = 2_000;

/** Shortens each name and value in a GraphQL message. */
export const briefMessage = (message: string): string =>
  excerpt(
    message
      .slice(0, mostLookedAt)
      // A value, and a field name from JSON variables, can contain quotation marks, so shorten both first.
      .replace(/(?<= value: ).*?(?=\. Did you mean |$)/s, (value) => excerpt(value))
      .replace(/(?<=^Field ").*(?=" is not defined)/s, (name) => excerpt(name))
      .replace(/"[^"]{41,}"?/g, (quoted) => `"${excerpt(quoted.slice(1))}"`)
      .replace(/[^\s"]{42,}/g, (word) => excerpt(word)),
    longestMessage,
  );

/** After this many errors of variables, GraphQL stops: each error prints the whole rejected value before we can shorten it. */
export const mostVariableFaults = 5;
const enough = new Error('GraphQL reports no more');

/** The type that a variable does not fit. */
export interface VariableFault {
  /** Replaces GraphQL's message, which has the whole value. */
  message?: string;
  /** At the argument that takes the variable, whatever its name. Undefined for a field that the schema lacks. */
  fault: FieldFault | undefined;
}

interface Place {
  path: readonly string[];
  type: GraphQLInputType | undefined;
}

/**
 * Coerces variables again, because GraphQL's errors have the place of a value only in their text. Call the returned function once for each
 * error of a reply, in order.
 */
export function variableFaults(
  { document, operation, variables }: RequestedOperation,
  schema: GraphQLSchema,
  settings: Pick<Settings, 'environment'>,
) {
  const faults = new Map<VariableDefinitionNode, VariableFault[]>();
  return ({ nodes: [node] = [] }: GraphQLError): VariableFault | undefined => {
    if (node?.kind !== Kind.VARIABLE_DEFINITION) return undefined;
    const name = node.variable.name.value;
    const place = placeOf(name, schema, document);
    const value = Object.hasOwn(variables, name) ? variables[name] : undefined;
    // Without an operation, the document is invalid: the type of the variable does not fit, whatever its value.
    if (!operation || value === null) return { fault: place && typeFault(place) };
    if (value === undefined) return { fault: place && missing(place) };
    const left = faults.get(node) ?? [];
    if (faults.has(node)) return left.shift();
    faults.set(node, left);
    const lacking = new Map<unknown, string[]>();
    const type = typeFromAST(schema, node.type) as GraphQLInputType;
    const onError: Parameters<typeof coerceInputValue>[2] = (path, invalid, { message }) => {
      if (left.length === mostVariableFaults) throw enough;
      const at = path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${key}`)).join('');
      left.push({
        message: `Variable "$${name}" got an invalid value${at && ` at "${name}${at}"`}; ${briefMessage(message)}`,
        fault: place && valueFault(path.map(String).reduce(below, place), invalid, lacking),
      });
    };
    try {
      coerceInputValue(value, type, onError, hidesNames(settings));
    } catch (error) {
      if (error !== enough) throw error;
    }
    return left.shift();
  };
}

/**
 * @param lacking by object, the required fields that it lacks and that are not reported yet: GraphQL reports the object once for each,
 *   and then for each of its fields that the schema lacks
 */
function valueFault(place: Place, value: unknown, lacking: Map<unknown, string[]>): FieldFault | undefined {
  if (value === null || value === undefined) return missing(place);
  const type = place.type && getNullableType(place.type);
  if (!isInputObjectType(type) || !isJsonObject(value)) return typeFault(place);
  if (!lacking.has(value)) {
    const required = Object.values(type.getFields()).filter(isRequiredInputField);
    lacking.set(
      value,
      required.map(({ name }) => name).filter((name) => value[name] === undefined),
    );
  }
  const name = lacking.get(value)!.shift();
  return name === undefined ? undefined : missing(below(place, name));
}

/** Where a document uses a variable first: an argument, or a value inside one. */
function placeOf(variable: string, schema: GraphQLSchema, document: DocumentNode): Place | undefined {
  let found: Place | undefined;
  const types = new TypeInfo(schema);
  visit(
    document,
    visitWithTypeInfo(types, {
      VariableDefinition: () => false,
      Variable(node, _key, parent, _path, ancestors) {
        if (node.name.value !== variable) return undefined;
        const path = [...ancestors, parent!, node].flatMap((each, at, all) => {
          const list = all[at - 1];
          if (list && 'kind' in list && list.kind === Kind.LIST)
            return String(list.values.indexOf(all[at + 1] as ValueNode));
          const isNamed = 'kind' in each && (each.kind === Kind.ARGUMENT || each.kind === Kind.OBJECT_FIELD);
          return isNamed ? each.name.value : [];
        });
        found = { path, type: types.getInputType() ?? undefined };
        return BREAK;
      },
    }),
  );
  return found;
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

const fields: FieldTable = { ...jobFields, ...companyFields };

/** As in the field table: REST and import files know no nesting. */
function nameOf(path: readonly string[]): string {
  const names = path.filter((key) => !/^\d+$/.test(key));
  const named = Object.entries(fields).find(
    ([name, field]) => `input.${inputPath(name, field).join('.')}` === names.join('.'),
  );
  return named?.[0] ?? names.at(-1) ?? '';
}

const missing = ({ path }: Place): FieldFault => ({
  ...fieldFault.missing(nameOf(path)),
  ...{ isArgument: true, path },
});

const typeFault = ({ path, type }: Place): FieldFault => ({
  ...typeFaultOf(nameOf(path), type),
  ...{ isArgument: true, path },
});

function typeFaultOf(name: string, type: GraphQLInputType | undefined): FieldFault {
  const nullable = type && getNullableType(type);
  if (isListType(nullable)) return fieldFault.mustBe(name, 'array-of-strings');
  const named = nullable && getNamedType(nullable);
  if (isEnumType(named))
    return fieldFault.oneOf(
      name,
      named.getValues().map((value) => value.name),
      labelsOf(named.name),
    );
  const known = named && typesOfScalars[named.name];
  if (known) return fieldFault.mustBe(name, known);
  return fieldFault.format(name, { en: 'Enter a valid value.', fr: 'Saisissez une valeur valide.' }, 'type');
}

/** As the fields have them. Other arguments add their own. */
const typesOfScalars: Record<string, keyof typeof typeNames> = {
  ...Object.fromEntries(Object.values(fields).map(({ type }) => [type.graphql, type.inputType] as const)),
  ID: 'string',
  Upload: 'file',
};
