import { beforeEach, describe, expect, it } from '@jest/globals';
import { getNamedType, type GraphQLField, type GraphQLObjectType } from 'graphql';
import { readFileSync } from 'node:fs';
import { snakeCase } from '../../src/errors/snake-case.js';
import { buildSchema } from '../../src/graphql/schema.js';
import { ownGateway } from '../support/own-gateway.js';
import { dataOf, graphql } from '../support/requests.js';
import { readRequests, sendAll } from './examples/http-message.js';

const aheadMs = 600_000;
const quotas = { updateJob: 20, mutation: 30, read: 40 };
const gateway = ownGateway(
  {
    ARCHIVER: 'off',
    UPDATE_JOB_QUOTA: `${quotas.updateJob}/1m`,
    MUTATION_QUOTA: `${quotas.mutation}/1m`,
    READ_QUOTA: `${quotas.read}/1m`,
  },
  { clock: () => new Date(Date.now() + aheadMs) },
);
beforeEach(() => gateway.reset());

const schema = new URL('../../schema/', import.meta.url);
const fieldsOf = (type: GraphQLObjectType) => Object.values(type.getFields());

interface Call {
  key?: string;
  dryRun?: true;
  expected?: number;
  sub?: string;
}

/** Each mutation of the schema, called as in its example, over both APIs. */
const mutations = fieldsOf(buildSchema().getMutationType()!).flatMap((field) => {
  const example = snakeCase(field.name).replaceAll('_', '-');
  const file = (path: string) => new URL(path, schema);
  const { input } = JSON.parse(
    readFileSync(file(`examples/operations/${example}.variables.json`), 'utf8'),
  ) as { input: object };
  const document = readFileSync(file(`operations/${example}.graphql`), 'utf8');

  async function overGraphQL({ key, dryRun, expected, sub }: Call) {
    const variables = { input, idempotencyKey: key, dryRun, expectedVersion: expected };
    const { headers, body } = await graphql(gateway, document, variables, {
      token: await gateway.token(sub === undefined ? {} : { sub }),
    });
    const { data, errors, extensions } = body;
    return {
      headers,
      code: errors?.[0]?.extensions.error ?? null,
      shown: data?.[field.name],
      isDryRun: extensions?.dryRun === true,
    };
  }
  async function overRest({ key, dryRun, expected, sub }: Call) {
    const values = { gateway: gateway.url, token: await gateway.token(sub === undefined ? {} : { sub }) };
    const [{ headers: written, ...request }] = readRequests(
      file(`examples/operations/${example}.http`),
      values,
    ) as [ReturnType<typeof readRequests>[number]];
    const headers = {
      ...Object.fromEntries(Object.entries(written).filter(([header]) => header !== 'idempotency-key')),
      ...(key && { 'idempotency-key': key }),
      ...(dryRun && { prefer: 'validate-only' }),
      ...(expected !== undefined && { 'if-match': `"${expected}"` }),
    };
    const { body, headers: received } = await sendAll([{ ...request, headers }]);
    const { error = null } = body as { error?: string };
    const isDryRun = received['preference-applied'] === 'validate-only';
    return { headers: new Headers(received), code: error, shown: body, isDryRun };
  }
  return [
    [field.name, 'graphql', { field, input, call: overGraphQL }],
    [field.name, 'rest', { field, input, call: overRest }],
  ] as [string, string, { field: GraphQLField<unknown, unknown>; input: object; call: typeof overGraphQL }][];
});

type Stored = Record<string, unknown> & {
  publicId: string;
  version: number;
  changedAt: Date;
  updatedAt: Date;
};

const stored = async () => {
  const { jobs, companies, history } = gateway.models;
  const all = [await jobs.find().lean(), await companies.find().lean(), await history.find().lean()];
  return all.flat() as unknown as Stored[];
};

/** The kind of record that the payload shows. */
const kindOf = ({ type }: GraphQLField<unknown, unknown>) =>
  fieldsOf(getNamedType(type) as GraphQLObjectType)[0]!.name as 'job' | 'company';

const isCreation = (name: string) => name.startsWith('create');

it.each(mutations.filter(([, api]) => api === 'graphql'))(
  '%s over %s, repeated with its key, can show what the first call did not select (Contract 6.2.1)',
  async (name, _api, { field, input, call }) => {
    const type = String(field.args.find((each) => each.name === 'input')?.type);
    const document = `mutation ($input: ${type}, $key: String) {
      ${name}(input: $input, idempotencyKey: $key) { ${kindOf(field)} { publicId } }
    }`;
    const { body } = await graphql(
      gateway,
      document,
      { input, key: 'short' },
      { token: await gateway.token() },
    );
    expect(body.errors).toBeUndefined();
    const whole = await call({ key: 'short' });
    expect([whole.code, whole.headers.get('idempotency-replayed')]).toEqual([null, 'true']);
  },
);

describe.each(mutations)('%s over %s', (name, api, { field, call }) => {
  it('with a key, repeated, gets the first reply and changes nothing (Contract 6.2.1)', async () => {
    const before = await stored();
    const first = await call({ key: 'once' });
    const after = await stored();
    expect([first.code, first.headers.get('idempotency-replayed')]).toEqual([null, null]);
    expect(after).not.toEqual(before);
    const again = await call({ key: 'once' });
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(again.shown).toEqual(first.shown);
    expect(await stored()).toEqual(after);
  });

  it('as a dry run says so, and writes nothing (Contract 6.3.1)', async () => {
    const before = await stored();
    const { code, isDryRun, shown } = await call({ dryRun: true });
    expect([code, isDryRun, shown]).toEqual([null, true, expect.any(Object)]);
    expect(await stored()).toEqual(before);
    expect((await call({})).isDryRun).toBe(false);
  });

  it('spends a unit of its quota, and as a dry run a unit too, but updateJob 5 read units (Contract 8.1.1, 8.2.3)', async () => {
    const spent = async (given: Call) => {
      const sub = `${name}-${api}-${Object.keys(given).join()}`;
      expect((await call({ ...given, sub })).code).toBeNull();
      const { viewer } = await dataOf<{
        viewer: { quotas: { name: keyof typeof quotas; remaining: number }[] };
      }>(
        ...[
          gateway,
          '{ viewer { quotas { name remaining } } }',
          {},
          { token: await gateway.token(sub === undefined ? {} : { sub }) },
        ],
      );
      return Object.fromEntries(viewer.quotas.map(({ name: of, remaining }) => [of, quotas[of] - remaining]));
    };
    const isUpdateJob = name === 'updateJob';
    const own = isUpdateJob ? { updateJob: 1, mutation: 0 } : { updateJob: 0, mutation: 1 };
    expect(await spent({ dryRun: true })).toMatchObject(
      isUpdateJob ? { updateJob: 0, mutation: 0, read: 6 } : own,
    );
    expect(await spent({})).toMatchObject(own);
  });

  it('writes only over the version that is expected; a creation can expect none (Contract 5.5.8, 6.1.2)', async () => {
    const before = await stored();
    expect(field.args.some((arg) => arg.name === 'expectedVersion')).toBe(!isCreation(name));
    if (isCreation(name) && api === 'graphql') return;
    expect((await call({ expected: 99 })).code).toBe(
      isCreation(name) ? 'validation-failed' : 'version-conflict',
    );
    expect(await stored()).toEqual(before);
    if (!isCreation(name)) expect((await call({ expected: 1 })).code).toBeNull();
  });

  it('of a job is refused while its company is not published; of a company is not (Contract 5.4.4, 5.5.4)', async () => {
    const memberships = [{ media: 'demo-media', isPublished: false, isVmePagePublished: false }];
    await gateway.models.companies.collection.updateOne({ publicId: 'acme' }, { $set: { memberships } });
    const before = await stored();
    const { code } = await call({});
    expect(code).toBe(kindOf(field) === 'job' ? 'company-not-published' : null);
    if (kindOf(field) === 'job') expect(await stored()).toEqual(before);
  });

  it('leaves a version, its history entry and the instant of the database, and changes no other record (Contract 2.2.7, 4.6.1, 6.1.1, 6.1.4)', async () => {
    const before = new Map((await stored()).map((record) => [record.publicId, record]));
    const { headers } = await call({});
    const changed = (await stored()).filter(
      (record) => JSON.stringify(record) !== JSON.stringify(before.get(record.publicId)),
    );
    expect(changed).toHaveLength(1);
    const [{ publicId, version, changedAt, updatedAt }] = changed as [Stored];
    expect(version).toBe((before.get(publicId)?.version ?? 0) + 1);
    expect(Math.abs(changedAt.getTime() - Date.now())).toBeLessThan(60_000);
    expect(Math.abs(updatedAt.getTime() - Date.now() - aheadMs)).toBeLessThan(60_000);
    const media = kindOf(field) === 'company' ? 'mediaPublicId: "demo-media", ' : '';
    const query = `{ it: ${kindOf(field)}(${media}publicId: "${publicId}") {
      history(first: 1) { edges { node { actor transport requestId changes { field } } } } } }`;
    const { it: shown } = await dataOf<{ it: { history: { edges: { node: { changes: object[] } }[] } } }>(
      ...[gateway, query, {}, { token: await gateway.token() }],
    );
    const requestId = headers.get('x-request-id');
    const changes = expect.arrayContaining([{ field: expect.any(String) }]);
    expect(shown.history.edges).toEqual([{ node: { actor: 'tester', transport: api, requestId, changes } }]);
  });
});
