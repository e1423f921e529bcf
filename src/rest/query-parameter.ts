import { type FastifyRequest } from 'fastify';
import {
  getNamedType,
  type GraphQLArgument,
  GraphQLInt,
  type GraphQLNamedType,
  type GraphQLSchema,
  isEnumType,
  isNonNullType,
} from 'graphql';
import { GraphQLISODateTime } from 'type-graphql';
import { fieldFault, type FieldFault } from '../errors/field-fault.js';
import { type DocumentedField } from '../operations.js';
import { choicesOf, rootField } from './documented.js';

const argumentNames = {
  company: { 'media-public-id': 'mediaPublicId', 'company-public-id': 'publicId' },
  jobs: {
    'media-public-id': 'mediaPublicId',
    'company-public-id': 'companyPublicId',
    state: 'state',
    'updated-since': 'updatedSince',
    first: 'first',
    after: 'after',
  },
  changes: { 'media-public-id': 'mediaPublicId', first: 'first', after: 'after' },
} as const satisfies Partial<Record<DocumentedField, Readonly<Record<string, string>>>>;

/** @throws Error if the schema lacks an argument */
export function queryParameters(
  schema: GraphQLSchema,
  field: keyof typeof argumentNames,
): { parameter: string; argument: GraphQLArgument }[] {
  const { args } = rootField(schema, field);
  return Object.entries(argumentNames[field]).map(([parameter, name]) => {
    const argument = args.find((each) => each.name === name);
    if (!argument) throw new Error(`${field} has no argument ${name}`);
    return { parameter, argument };
  });
}

/** The value of a parameter, spelled with hyphens or underscores: undefined if absent, a list if repeated. */
export const queryParameter = (request: Pick<FastifyRequest, 'query'>, name: string): unknown =>
  oneOrAll(valuesOf(request, name));

function valuesOf({ query }: Pick<FastifyRequest, 'query'>, name: string): unknown[] {
  const given = query as Record<string, unknown>;
  const spellings = new Set([name, name.replaceAll('-', '_')]);
  return [...spellings].flatMap((spelling) => given[spelling] ?? []);
}

const oneOrAll = (values: unknown[]): unknown => (values.length > 1 ? values : values[0]);

/** Blank parameters count as absent (Contract 4.5.13). */
export function readArguments(
  request: Pick<FastifyRequest, 'query'>,
  parameters: ReturnType<typeof queryParameters>,
): { variables: Record<string, unknown>; faults: FieldFault[] } {
  const variables: Record<string, unknown> = {};
  const faults: FieldFault[] = [];
  for (const { parameter, argument } of parameters) {
    const { name, type } = argument;
    const given = oneOrAll(valuesOf(request, parameter).filter((value) => String(value).trim() !== ''));
    const text = typeof given === 'string' ? given.trim() : '';
    // Set a required argument even if it is faulty: without it, GraphQL would reject the call and hide the fault.
    if (isNonNullType(type)) variables[name] = text;
    else if (given === undefined) continue;
    const fault = faultIn(parameter, getNamedType(type), given ?? '', text);
    if (fault) faults.push(fault);
    else variables[name] = getNamedType(type) === GraphQLInt ? Number(text) : text;
  }
  return { variables, faults };
}

function faultIn(
  parameter: string,
  type: GraphQLNamedType,
  given: unknown,
  text: string,
): FieldFault | undefined {
  if (typeof given !== 'string') return fieldFault.mustBe(parameter, 'string');
  if (!text) return fieldFault.missing(parameter);
  if (isEnumType(type) && !type.getValue(text)) return fieldFault.oneOf(parameter, choicesOf(type));
  if (type === GraphQLInt && !/^\d{1,9}$/.test(text)) return fieldFault.format(parameter, wholeNumber);
  if (type.name === GraphQLISODateTime.name && !isInstant(text)) return fieldFault.format(parameter, instant);
  return undefined;
}

function isInstant(text: string): boolean {
  try {
    GraphQLISODateTime.parseValue(text);
    return true;
  } catch {
    return false;
  }
}

const wholeNumber = { en: 'a whole number', fr: 'un nombre entier' };
const instant = {
  en: 'an instant with its time zone, such as 2026-01-31T09:00:00Z',
  fr: 'un instant avec son fuseau horaire, tel que 2026-01-31T09:00:00Z',
};
