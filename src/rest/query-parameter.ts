import { type FastifyRequest } from 'fastify';
import {
  getNamedType,
  type GraphQLField,
  GraphQLInt,
  type GraphQLNamedType,
  isEnumType,
  isNonNullType,
} from 'graphql';
import { GraphQLISODateTime } from 'type-graphql';
import { fieldFault, type FieldFault } from '../errors/field-fault.js';

/** The parameters that a read of a company and a list of jobs take, each with the argument that it gives. */
export const companyParameters = { 'media-public-id': 'mediaPublicId', 'company-public-id': 'publicId' };
export const listParameters = {
  'media-public-id': 'mediaPublicId',
  'company-public-id': 'companyPublicId',
  state: 'state',
  'updated-since': 'updatedSince',
  first: 'first',
  after: 'after',
};

/** A parameter of the query, spelled with hyphens or with underscores: undefined for none, a list where it came several times. */
export function queryParameter({ query }: Pick<FastifyRequest, 'query'>, name: string): unknown {
  const given = query as Record<string, unknown>;
  const spellings = new Set([name, name.replaceAll('-', '_')]);
  const values = [...spellings].flatMap((spelling) => given[spelling] ?? []);
  return values.length > 1 ? values : values[0];
}

/**
 * Reads arguments of a root field from the query, and gathers all faults.
 * @param parameters the argument that each parameter of the path gives
 */
export function readArguments(
  request: Pick<FastifyRequest, 'query'>,
  { args }: GraphQLField<unknown, unknown>,
  parameters: Readonly<Record<string, string>>,
): { variables: Record<string, unknown>; faults: FieldFault[] } {
  const variables: Record<string, unknown> = {};
  const faults: FieldFault[] = [];
  for (const [parameter, argument] of Object.entries(parameters)) {
    const type = args.find(({ name }) => name === argument)?.type;
    const given = queryParameter(request, parameter);
    const text = typeof given === 'string' ? given.trim() : '';
    // The operation wants a value even where a fault keeps it from being used.
    if (isNonNullType(type)) variables[argument] = text;
    else if (given === undefined) continue;
    const fault = faultIn(parameter, getNamedType(type), given ?? '', text);
    if (fault) faults.push(fault);
    else variables[argument] = getNamedType(type) === GraphQLInt ? Number(text) : text;
  }
  return { variables, faults };
}

function faultIn(
  parameter: string,
  type: GraphQLNamedType | undefined,
  given: unknown,
  text: string,
): FieldFault | undefined {
  if (typeof given !== 'string') return fieldFault.mustBe(parameter, 'string');
  if (!text) return fieldFault.missing(parameter);
  if (isEnumType(type) && !type.getValue(text))
    return fieldFault.oneOf(
      parameter,
      type.getValues().map(({ name }) => name),
    );
  if (type === GraphQLInt && !/^\d{1,9}$/.test(text)) return fieldFault.format(parameter, wholeNumber);
  if (type?.name === GraphQLISODateTime.name && !isInstant(text))
    return fieldFault.format(parameter, instant);
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
