import { readFileSync } from 'node:fs';
import { beforeAll, expect, it } from '@jest/globals';
import {
  buildSchema,
  getNamedType,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputField,
  isInputObjectType,
  isLeafType,
} from 'graphql';
import { ownGateway } from '../support/own-gateway.js';
import { root } from '../support/process.js';
import { graphql } from '../support/requests.js';

const gateway = ownGateway({ ARCHIVER: 'off' });
let token: string;
beforeAll(async () => void (token = await gateway.token()));

const schema = buildSchema(readFileSync(`${root}schema/schema.graphql`, 'utf8'));

/** Values that fail when code converts them to a text or a number, or iterates over them. */
const values = [
  { toString: 1, valueOf: 1 },
  [{ toString: 1, valueOf: 1 }],
  { length: 3, 0: 'a', then: 1, toJSON: 1, constructor: 1 },
  JSON.parse('{"__proto__":{"a":1}}') as unknown,
  [[null]],
  1e308,
  '\u0000\ud800',
];

const known: Record<string, string> = {
  mediaPublicId: 'demo-media',
  publicId: 'acme',
  companyPublicId: 'acme',
  jobPublicId: 'acme-office-manager',
};

type Input = GraphQLArgument | GraphQLInputField;
type Variables = Record<string, unknown>;

const fieldsOf = ({ type }: Input): Input[] => {
  const named = getNamedType(type);
  return isInputObjectType(named) ? Object.values(named.getFields()) : [];
};
const withoutFault = (inputs: readonly Input[]): Variables =>
  Object.fromEntries(
    inputs.flatMap((input): [string, unknown][] => {
      const below = fieldsOf(input);
      if (below.length > 0) return [[input.name, withoutFault(below)]];
      return input.name in known ? [[input.name, known[input.name]]] : [];
    }),
  );
const pathsOf = (input: Input): string[][] => [
  [input.name],
  ...fieldsOf(input).flatMap((field) => pathsOf(field).map((path) => [input.name, ...path])),
];
const placed = (given: Variables, [name = '', ...below]: string[], value: unknown): Variables => ({
  ...given,
  [name]: below.length > 0 ? placed(given[name] as Variables, below, value) : value,
});

/** Fields with arguments, and where they are read. */
const places = [
  ['Query', 'query', '', ''],
  ['Mutation', 'mutation', '', ''],
  ['Media', 'query', '{ media { edges { node {', '} } } }'],
  ['Company', 'query', '{ company(mediaPublicId: "demo-media", publicId: "acme") {', '} }'],
  ['Job', 'query', '{ job(publicId: "acme-office-manager") {', '} }'],
] as const;
const cases = places.flatMap(([type, ...place]) => {
  const fields = (
    schema.getType(type) as { getFields(): Record<string, GraphQLField<unknown, unknown>> }
  ).getFields();
  return Object.values(fields)
    .filter(({ args }) => args.length > 0)
    .map((field) => [`${type}.${field.name}`, field, ...place] as const);
});

it.each(cases)(
  '%s refuses or ignores values of wrong types in any of its inputs',
  async (_name, field, kind, before, after) => {
    const declared = field.args.map(({ name, type }) => `$${name}: ${String(type)}`).join(', ');
    const given = field.args.map(({ name }) => `${name}: $${name}`).join(', ');
    const selection = isLeafType(getNamedType(field.type)) ? '' : '{ __typename }';
    const read = `${field.name}(${given}) ${selection}`;
    const document = `${kind} (${declared}) ${before || '{'} ${read} ${after || '}'}`;
    for (const path of field.args.flatMap(pathsOf))
      for (const value of values) {
        const variables = placed(withoutFault(field.args), path, value);
        const { status, body } = await graphql(gateway, document, variables, { token });
        const codes = body.errors?.map(({ extensions }) => extensions.error);
        expect([path, value, status < 500, codes?.includes('internal-error') ?? false]).toEqual([
          path,
          value,
          true,
          false,
        ]);
      }
  },
);
