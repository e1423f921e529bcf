import { type FastifyRequest } from 'fastify';
import {
  getNamedType,
  getNullableType,
  type GraphQLArgument,
  type GraphQLInputField,
  type GraphQLNamedType,
  type GraphQLSchema,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
} from 'graphql';
import { GraphQLISODateTime } from 'type-graphql';
import { type Expected, fieldFault, type FieldFault, oneOf, typeNames } from '../errors/field-fault.js';
import { type JsonSchema, type ScalarName } from '../fields/field-types.rules.js';
import { snakeCase } from '../errors/snake-case.js';
import { type DocumentedField } from '../operations.js';
import { largestPage } from '../paging/page.js';
import { mostUnknownFields } from '../fields/field-reader.rules.js';
import { choicesOf, rootField } from './envelope.js';
import { type BodyFields, mergeLists } from './read-body.js';
import { type Asked } from './prepare-operation.js';

/** By operation and parameter: the argument. Each field of a filter is a parameter of its own. */
const argumentNames: Partial<Record<DocumentedField, Readonly<Record<string, string>>>> = {
  company: { 'media-public-id': 'mediaPublicId', 'company-public-id': 'publicId' },
  jobs: { 'media-public-id': 'mediaPublicId', filter: 'filter', first: 'first', after: 'after' },
  jobCounts: { 'media-public-id': 'mediaPublicId', filter: 'filter' },
  changes: { 'media-public-id': 'mediaPublicId', first: 'first', after: 'after' },
};

/** How a query string has values of a type. */
interface QueryFormat {
  schema: JsonSchema;
  /** Returns undefined if the text is not `expected`. */
  parse(this: void, text: string): string | number | undefined;
  expected: Expected;
}

const text: QueryFormat = { schema: { type: 'string' }, parse: (value) => value, expected: typeNames.string };

const scalars: { [Name in ScalarName]?: QueryFormat } = {
  String: text,
  ID: text,
  Int: {
    schema: { type: 'integer', minimum: 1, maximum: largestPage },
    parse: (value) => (/^\d{1,9}$/.test(value) ? Number(value) : undefined),
    expected: { en: 'Enter a whole number.', fr: 'Saisissez un nombre entier.' },
  },
  DateTimeISO: {
    schema: { type: 'string', format: 'date-time' },
    parse: instantIn,
    expected: {
      en: 'Enter an instant with its time zone, such as 2026-01-31T09:00:00Z.',
      fr: 'Saisissez un instant avec son fuseau horaire, tel que 2026-01-31T09:00:00Z.',
    },
  },
};

/** @throws Error for a type that has no format */
function formatOf(type: GraphQLNamedType): QueryFormat {
  const choices = isEnumType(type) ? choicesOf(type) : [];
  const parse = (value: string) => choices.find((choice) => choice === value);
  const format = isEnumType(type)
    ? { schema: { ...text.schema, enum: choices }, parse, expected: oneOf(choices) }
    : scalars[type.name as ScalarName];
  if (!format) throw new Error(`A query string cannot have a ${type.name}: add it to scalars`);
  return format;
}

type GraphQLInput = GraphQLArgument | GraphQLInputField;

const isRepeatable = ({ type }: GraphQLInput): boolean => isListType(getNullableType(type));

/** `contractIds`, a list whose values are sent one by one → `contract-id`. */
const parameterOf = (input: GraphQLInput): string =>
  snakeCase(isRepeatable(input) ? input.name.replace(/s$/, '') : input.name).replaceAll('_', '-');

/** @throws Error if the schema lacks an argument */
export function queryParameters(schema: GraphQLSchema, field: DocumentedField) {
  const { args } = rootField(schema, field);
  return Object.entries(argumentNames[field] ?? {}).flatMap(([parameter, name]) => {
    const argument = args.find((each) => each.name === name);
    if (!argument) throw new Error(`${field} has no argument ${name}`);
    const type = getNamedType(argument.type);
    return isInputObjectType(type)
      ? Object.values(type.getFields()).map((each) => toParameter(parameterOf(each), each, true))
      : [toParameter(parameter, argument, false)];
  });
}

export type QueryParameter = ReturnType<typeof toParameter>;

const toParameter = (parameter: string, argument: GraphQLInput, isInFilter: boolean) => ({
  parameter,
  argument,
  format: formatOf(getNamedType(argument.type)),
  isInFilter,
  isRepeatable: isRepeatable(argument),
});

/** The value of a parameter, spelled with hyphens or underscores: undefined if absent, a list if repeated. */
export const queryParameter = (request: Pick<FastifyRequest, 'query'>, name: string): unknown =>
  oneOrAll(valuesOf(parametersIn(request), name));

/** As in bodies, `state[]` and `state[0]` are `state`. */
const parametersIn = ({ query }: Pick<FastifyRequest, 'query'>) => mergeLists(query as BodyFields);

const spellingsOf = (name: string) => new Set([name, name.replaceAll('-', '_')]);

const valuesOf = (query: BodyFields, name: string): unknown[] =>
  [...spellingsOf(name)].flatMap((spelling) => query[spelling] ?? []);

const oneOrAll = (values: unknown[]): unknown => (values.length > 1 ? values : values[0]);

/** Clients and the sites that link to them add these on their own. */
const strayParameter = /^(?:_|utm_|access_token$)/;

/** A list without a filter that its caller asked for would show what nobody asked for. */
function unknownIn(query: BodyFields, parameters: readonly QueryParameter[]): FieldFault[] {
  const known = new Set(parameters.flatMap(({ parameter }) => [...spellingsOf(parameter)]));
  return Object.keys(query)
    .filter((name) => !known.has(name) && !strayParameter.test(name))
    .slice(0, mostUnknownFields)
    .map(fieldFault.unknown);
}

/** Blank parameters count as absent. */
export function readArguments(
  request: Pick<FastifyRequest, 'query'>,
  parameters: readonly QueryParameter[],
): Required<Pick<Asked, 'variables' | 'parseFaults'>> {
  const variables: Record<string, unknown> = {};
  const parseFaults: FieldFault[] = [];
  const sent = parametersIn(request);
  const isList = parameters.some(({ parameter, isInFilter }) => parameter === 'first' || isInFilter);
  for (const each of parameters) {
    const { parameter, argument, format, isInFilter, isRepeatable } = each;
    const { name, type } = argument;
    const filled = valuesOf(sent, parameter).filter((value) => String(value).trim() !== '');
    const texts = filled.map((value) => (typeof value === 'string' ? value.trim() : ''));
    if (filled.length === 0 && !isNonNullType(type)) continue;
    const target = isInFilter ? ((variables.filter ??= {}) as Record<string, unknown>) : variables;
    // Set a required argument even if it is faulty: without it, GraphQL would reject the call and hide the fault.
    if (isNonNullType(type)) target[name] = texts.length === 1 ? texts[0] : '';
    const values = isRepeatable ? filled : [oneOrAll(filled) ?? ''];
    const [fault] = values.flatMap((value) => faultIn(each, value) ?? []);
    if (fault) parseFaults.push(fault);
    else {
      const read = texts.map(format.parse);
      target[name] = isRepeatable ? read : read[0];
    }
  }
  const unknown = isList ? unknownIn(sent, parameters) : [];
  return { variables, parseFaults: [...parseFaults, ...unknown] };
}

function faultIn({ parameter, format }: QueryParameter, content: unknown): FieldFault | undefined {
  if (typeof content !== 'string') return fieldFault.mustBe(parameter, 'string');
  const value = content.trim();
  if (!value) return fieldFault.missing(parameter);
  return format.parse(value) === undefined ? fieldFault.format(parameter, format.expected) : undefined;
}

function instantIn(text: string): string | undefined {
  try {
    GraphQLISODateTime.parseValue(text);
    return text;
  } catch {
    return undefined;
  }
}
