import { afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { type AnyVariables, Client, fetchExchange, type TypedDocumentNode } from '@urql/core';
import { cacheExchange } from '@urql/exchange-graphcache';
import { execFile } from 'node:child_process';
import {
  buildSchema,
  getIntrospectionQuery,
  type GraphQLObjectType,
  type IntrospectionQuery,
  isObjectType,
} from 'graphql';
import { readFileSync } from 'node:fs';
import type Relay from 'relay-runtime';
import { nodeId } from '../../src/fields/row.rules.js';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';
import {
  CompanyDocument,
  graphcacheKeys,
  JobDocument,
  JobsDocument,
  UpdateJobDocument,
} from '../../schema/client/src/index.js';
import { ownGateway } from '../support/own-gateway.js';
import { root } from '../support/process.js';
import { graphql } from '../support/requests.js';
import { ownFolder } from '../support/own-folder.js';

const require = createRequire(import.meta.url);
const run = promisify(execFile);
const schema = buildSchema(readFileSync(join(root, 'schema/schema.graphql'), 'utf8'));

const gateway = ownGateway({ ARCHIVER: 'off', READ_QUOTA: '1000/1s', UPDATE_JOB_QUOTA: '1000/1s' });
let token: string;
let headers: Record<string, string>;
let warned: unknown[][];

beforeAll(async () => {
  token = await gateway.token({ media: ['demo-media', 'other-media'] });
  headers = { authorization: `Bearer ${token}` };
});

beforeEach(async () => {
  await gateway.reset();
  const flags = { isVmePagePublished: false };
  const memberships = [
    { media: 'demo-media', isPublished: true, ...flags },
    { media: 'other-media', isPublished: false, ...flags },
  ];
  await gateway.models.companies.collection.updateOne({ publicId: 'acme' }, { $set: { memberships } });
  warned = [];
  for (const method of ['warn', 'error'] as const)
    jest.spyOn(console, method).mockImplementation((...given) => void warned.push(given));
});
afterEach(() => {
  jest.restoreAllMocks();
  expect(warned).toEqual([]);
});

const publicId = 'acme-backend-engineer';

interface Listed {
  jobs: { edges: { node: { publicId: string; salary: string | null } }[] };
}

const input = { jobPublicId: publicId, salary: '61 000 €' };

type Variables = Record<string, unknown>;

async function graphcache() {
  const { body } = await graphql(gateway, getIntrospectionQuery(), {}, { token });
  const introspected = body.data as unknown as IntrospectionQuery;
  const client = new Client({
    url: `${gateway.url}/graphql`,
    preferGetMethod: false,
    fetchOptions: { headers },
    exchanges: [cacheExchange({ schema: introspected, keys: graphcacheKeys }), fetchExchange],
  });
  const read =
    (requestPolicy: 'network-only' | 'cache-only') =>
    async <Data, Given extends AnyVariables>(document: TypedDocumentNode<Data, Given>, variables: Given) => {
      const { data, error } = await client.query(document, variables, { requestPolicy }).toPromise();
      if (error) throw error;
      return data;
    };
  return { client, query: read('network-only'), shown: read('cache-only') };
}

describe('urql, with Graphcache and the introspected schema (Contract 4.7.1)', () => {
  it('lists, pages, opens and saves a job, and the list shows the new salary', async () => {
    const { client, query, shown } = await graphcache();
    const list = { mediaPublicId: 'demo-media', first: 2 };
    const first = await query(JobsDocument, list);
    const next = { ...list, after: first?.jobs?.pageInfo.endCursor };
    await query(JobsDocument, next);
    await query(JobDocument, { publicId });
    await client.mutation(UpdateJobDocument, { input }).toPromise();
    const pages = [await shown(JobsDocument, list), await shown(JobsDocument, next)];
    const jobs = pages.flatMap((page) => page?.jobs?.edges ?? []).map(({ node }) => node);
    expect(jobs).toHaveLength(4);
    expect(jobs.find((job) => job.publicId === publicId)).toMatchObject({ salary: input.salary, version: 2 });
  });

  it('shows a company of two media with the flags of each', async () => {
    const { query, shown } = await graphcache();
    const both = ['demo-media', 'other-media'].map((mediaPublicId) => ({ mediaPublicId, publicId: 'acme' }));
    for (const one of both) await query(CompanyDocument, one);
    const flags = await Promise.all(both.map((one) => shown(CompanyDocument, one)));
    expect(flags.map((data) => data?.company?.isPublished)).toEqual([true, false]);
  });

  it('graphcacheKeys has every type that is a part of a record', () => {
    const parts = Object.values(schema.getTypeMap())
      .filter((type) => isObjectType(type) && !type.name.startsWith('__'))
      .filter((type) => !('id' in (type as GraphQLObjectType).getFields()))
      .map(({ name }) => name)
      .filter((name) => !/^(?:Query|Mutation|PageInfo|.*(?:Connection|Edge|Payload))$/.test(name));
    expect(Object.keys(graphcacheKeys).sort()).toEqual(parts.sort());
  });
});

describe('Relay (Contract 4.7.1)', () => {
  const relay = require('relay-runtime') as typeof Relay;
  const sources = `
    graphql\`query cachesListQuery($media: String!) {
      jobs(mediaPublicId: $media, first: 10) { edges { node { id publicId salary ...cachesHistory_job } } } }\`;
    graphql\`fragment cachesHistory_job on Job @refetchable(queryName: "cachesHistoryQuery")
      @argumentDefinitions(first: { type: "Int", defaultValue: 1 }, after: { type: "String" }) {
      history(first: $first, after: $after) @connection(key: "cachesHistory_history") {
        edges { node { actor changes { field after } } } } }\`;
    graphql\`query cachesFlagsQuery { one: company(mediaPublicId: "demo-media", publicId: "acme") { isPublished }
      other: company(mediaPublicId: "other-media", publicId: "acme") { isPublished } }\`;
    graphql\`mutation cachesSaveMutation($input: UpdateJobInput!) {
      updateJob(input: $input) { job { id salary version } } }\`;`;
  const folder = ownFolder();
  beforeAll(async () => {
    await mkdir(join(folder, 'src'));
    await writeFile(join(folder, 'src/caches.js'), sources);
    await writeFile(join(folder, 'schema.graphql'), await readFile(join(root, 'schema/schema.graphql')));
    const config = { src: './src', schema: './schema.graphql', language: 'javascript' };
    await writeFile(join(folder, 'relay.config.json'), JSON.stringify(config));
    await run(process.execPath, [require.resolve('relay-compiler/cli.js'), 'relay.config.json'], {
      cwd: folder,
      timeout: 60_000,
    });
  }, 90_000);

  const compiled = (name: string) =>
    require(join(folder, 'src/__generated__', `${name}.graphql.js`)) as never;
  const connect = () =>
    new relay.Environment({
      network: relay.Network.create(async ({ text }, variables) => {
        const { body } = await graphql(gateway, text ?? '', variables, { token });
        return body as never;
      }),
      store: new relay.Store(new relay.RecordSource()),
    });
  const query = (environment: Relay.Environment, name: string, variables: Variables) =>
    relay.fetchQuery(environment, compiled(name), variables).toPromise();
  const shown = (environment: Relay.Environment, name: string, variables: Variables) => {
    const operation = relay.createOperationDescriptor(relay.getRequest(compiled(name)), variables);
    return environment.lookup(operation.fragment).data as unknown;
  };

  it('shows a saved salary in the list, and refetches the history of a job by its id', async () => {
    const environment = connect();
    await query(environment, 'cachesListQuery', { media: 'demo-media' });
    const mutation = compiled('cachesSaveMutation');
    await new Promise((resolve, reject) => {
      relay.commitMutation(environment, {
        mutation,
        variables: { input },
        onCompleted: resolve,
        onError: reject,
      });
    });
    const listed = shown(environment, 'cachesListQuery', { media: 'demo-media' }) as Listed;
    const job = listed.jobs.edges.map(({ node }) => node).find((each) => each.publicId === publicId);
    expect(job).toMatchObject({ salary: input.salary });
    const id = nodeId('Job', publicId);
    await query(environment, 'cachesHistoryQuery', { id, first: 5 });
    expect(Object.values(environment.getStore().getSource().toJSON())).toContainEqual(
      expect.objectContaining({ __typename: 'FieldChange', field: 'salary', after: input.salary }),
    );
  });

  it('shows a company of two media with the flags of each', async () => {
    const environment = connect();
    await query(environment, 'cachesFlagsQuery', {});
    expect(shown(environment, 'cachesFlagsQuery', {})).toEqual({
      one: { isPublished: true },
      other: { isPublished: false },
    });
  });
});
