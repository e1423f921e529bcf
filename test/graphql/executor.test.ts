import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  type DocumentNode,
  GraphQLInputObjectType,
  GraphQLInt,
  GraphQLObjectType,
  GraphQLSchema,
  GraphQLString,
  parse,
} from 'graphql';
import { readdirSync, readFileSync } from 'node:fs';
import { createExecutor, type Execute } from '../../src/graphql/executor.js';
import { ownGateway } from '../support/own-gateway.js';
import { graphql, type GraphQLBody, rest } from '../support/requests.js';

/** From which run on a query is compiled. */
const compiledFrom = 10;

describe('a query that comes again, and is compiled, is answered as before (Contract 4.4.1)', () => {
  const gateway = ownGateway({ READ_QUOTA: '100000/1h' });
  const stored = { mediaPublicId: 'demo-media', publicId: 'acme-backend-engineer' };
  let token: string;
  beforeAll(async () => {
    token = await gateway.token();
    await gateway.models.jobs.collection.updateOne(
      { publicId: 'acme-night-guard' },
      { $set: { name: null } },
    );
    // So that there are histories.
    const json = { media_public_id: 'demo-media', company_public_id: 'acme', salary: '50 000 €' };
    const { status } = await rest(gateway, 'PATCH', `/jobs/${stored.publicId}`, { json }, { token });
    expect(status).toBe(200);
  });

  const operations = new URL('../../schema/operations/', import.meta.url);
  const named = readdirSync(operations)
    .filter((file) => !file.startsWith('update-'))
    .map((file): [string, string, Record<string, unknown>] => {
      const publicId = file.startsWith('compan') ? 'acme' : stored.publicId;
      const variables = { ...stored, publicId, kind: 'contract', first: 2 };
      return [file, readFileSync(new URL(file, operations), 'utf8'), variables];
    });

  const page = (below: string) => `{ jobs(mediaPublicId: "demo-media") { edges { node { ${below} } } } }`;
  const list = `query ($media: String!, $first: Int, $state: JobState, $name: String) {
    jobs(mediaPublicId: $media, first: $first, state: $state, name: $name) { edges { cursor node { publicId } } }
  }`;
  const many = `query (${[...'abcdefg'].map((name) => `$${name}: Int`).join(' ')}) {
    ${[...'abcdefg'].map((name) => `${name}: jobs(mediaPublicId: "demo-media", first: $${name}) { edges { cursor } }`).join(' ')}
  }`;
  const two = 'query One { viewer { subject } } query Other { viewer { roles } }';

  it.each<[string, string, Record<string, unknown>?, object?]>([
    ...named,
    ['variables that are left out', list, { media: 'demo-media' }],
    ['variables that are null', list, { media: 'demo-media', first: null, state: null, name: null }],
    ['faulty variables', list, { media: 7, first: 'x', state: 'gone', name: {} }],
    [
      'more faulty variables than are told',
      many,
      Object.fromEntries([...'abcdefg'].map((name) => [name, {}])),
    ],
    ['a missing variable', list],
    ['a refused argument', list, { media: 'demo-media', first: 101 }],
    ['a job that is not there', '{ one: job(publicId: "none") { name } viewer { subject } }'],
    ['fields that the caller may not see', page('publicId managerEmails'), {}, { scope: 'r_jobs' }],
    ['a record that something else has damaged', page('publicId name')],
    ['aliases', page('a: state b: state publicId c: location { x: city } c: location { y: city }')],
    [
      'fragments',
      `${page('...A ...A ... on Job { state }')} fragment A on Job { publicId company { name } }`,
    ],
    ['the history of each', page('publicId history(first: 1) { edges { node { at changes { field } } } }')],
    ['@include', `query ($is: Boolean!) ${page('state publicId @include(if: $is)')}`, { is: false }],
    ['names of types', `{ __typename ${page('__typename').slice(1)}`],
    ['the schema itself', '{ __schema { queryType { fields { name args { name defaultValue } } } } }'],
    ['an operation that is not named', two],
    [
      'null instead of the default of a variable that must not be null',
      'query ($media: String = "demo-media") { jobs(mediaPublicId: $media) { edges { cursor } } }',
      { media: null },
    ],
    [
      'an alias that reads like the path to another field',
      `query ($publicId: String!) {
        history_a: job(publicId: $publicId) { name state }
        a: job(publicId: $publicId) { history(first: 1) { edges { node { at } } } }
      }`,
      stored,
    ],
    ['an alias that JavaScript takes for a prototype', `{ viewer { __proto__: subject roles } }`],
  ])('%s', async (_, query, variables = {}, claims = {}) => {
    const as = await gateway.token(claims);
    const ask = async (): Promise<string> => {
      const { status, body } = await graphql(gateway, query, variables, { token: as });
      // Each call spends a unit, which the viewer is told.
      return JSON.stringify([status, withoutRequest(body)]).replace(
        /"remaining":\d+,"resetSeconds":\d+/g,
        '',
      );
    };
    const first = await ask();
    for (let run = 2; run < compiledFrom; run += 1) await ask();
    expect(await ask()).toBe(first);
    expect(await ask()).toBe(first);
  });
});

/** What of a reply does not depend on which request it answers. */
const withoutRequest = ({ data, errors }: GraphQLBody) => ({
  data,
  errors: errors?.map((error) => ({ ...error, extensions: { ...error.extensions, requestId: undefined } })),
});

describe('what is compiled', () => {
  const input = new GraphQLInputObjectType({ name: 'Input', fields: { a: { type: GraphQLInt } } });
  const echo = {
    type: GraphQLString,
    args: { text: { type: GraphQLString }, input: { type: input } },
    resolve: (_: unknown, args: object) => JSON.stringify(args),
  };
  const schema = new GraphQLSchema({
    query: new GraphQLObjectType({ name: 'Query', fields: { echo } }),
    mutation: new GraphQLObjectType({ name: 'Mutation', fields: { echo } }),
  });

  /** Runs a document until it would be compiled, and says of each run whether it was: of graphql-js, data has no prototype. */
  const runs = async (execute: Execute, document: DocumentNode, count = compiledFrom): Promise<boolean[]> => {
    const seen: boolean[] = [];
    for (let run = 0; run < count; run += 1) {
      const { data } = await execute({ document });
      expect(data).toHaveProperty('echo');
      seen.push(Object.getPrototypeOf(data) !== null);
    }
    return seen;
  };
  const uncompiled = Array<boolean>(compiledFrom - 1).fill(false);

  it('is a query from its tenth run on', async () =>
    expect(await runs(createExecutor(schema), parse('{ echo }'), compiledFrom + 1)).toEqual([
      ...uncompiled,
      true,
      true,
    ]));

  it.each([
    ['a mutation', 'mutation { echo }'],
    ['a query with a directive', '{ echo @include(if: true) }'],
    ['one with an object in its text, where an absent variable would read as null', '{ echo(input: {}) }'],
    ['one with a default that null may be given for', 'query ($text: String = "") { echo(text: $text) }'],
    ['one with an underscore in an alias', '{ echo a_b: echo }'],
    ['one that asks for the schema', '{ echo __schema { queryType { name } } }'],
    ['one that asks for a type of it', '{ echo __type(name: "Query") { name } }'],
  ])('is never %s', async (_, source) =>
    expect(await runs(createExecutor(schema), parse(source))).toEqual([...uncompiled, false]),
  );

  it('is a hundred queries at the most: the one that was compiled first makes room', async () => {
    const execute = createExecutor(schema);
    const [first, ...others] = Array.from({ length: 101 }, (_, index) => parse(`{ echo(text: "${index}") }`));
    const again = first ?? parse('');
    for (const document of [again, ...others])
      expect(await runs(execute, document)).toEqual([...uncompiled, true]);
    expect(await runs(execute, again)).toEqual([...uncompiled, true]);
  });
});
