import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  buildSchema as buildSdl,
  type FormattedExecutionResult,
  GraphQLError,
  type GraphQLEnumType,
  parse,
} from 'graphql';
import { mongo } from 'mongoose';
import { OperationCost, type RequestContext, RequestWork } from '../../src/permissions/request-context.js';
import { warningMessages } from '../../src/fields/warning.js';
import { catalogue, type CatalogueEntry, errorCodes, graphqlCodeOf } from '../../src/errors/catalogue.js';
import { toErrorBody } from '../../src/errors/refusal.js';
import { unauthorizedReasons } from '../../src/errors/unauthorized-reason.js';
import { toDomainError } from '../../src/database/database-errors.js';
import { startApollo } from '../../src/graphql/apollo.js';
import { buildSchema } from '../../src/graphql/schema.js';
import { replyFormatter } from '../../src/graphql/format-reply.js';
import { ErrorResponder } from '../../src/http/error-responder.js';
import { createLog } from '../../src/log/log.js';
import { parseSettings } from '../../src/settings/settings.js';
import { statement } from '../support/contract-text.js';
import { ownGateway } from '../support/own-gateway.js';
import { graphql } from '../support/requests.js';
import { ofJob } from './refusals/requests.js';

const gateway = ownGateway();
let token: string;
beforeAll(async () => void (token = await gateway.token()));

describe('the catalogue of errors', () => {
  it('has exactly the codes of the contract (Contract 7.2.1)', () => {
    const rows = [...statement('7.2.1').matchAll(/^\| `([a-z-]+)` +\| (\d{3}) +\| ([^|]+?) +\|/gm)];
    expect(rows.map(([, code]) => code)).toEqual(errorCodes);
    expect(
      rows.map(([, , status, graphqlCode = '']) => [Number(status), graphqlCode.match(/[A-Z_]+/g)?.at(-1)]),
    ).toEqual(errorCodes.map((code) => [catalogue[code].status, graphqlCodeOf(code)]));
  });

  it.each(errorCodes)(
    'has messages for %s in both languages, which do not repeat the code (Contract 7.2.4)',
    (code) => {
      const { en, fr } = catalogue[code].message;
      for (const message of [en, fr]) {
        expect(message).toMatch(/^[A-ZÀ-Ý].*\S$/u);
        expect(message).not.toContain(code);
      }
      expect(en === fr).toBe(code === 'unauthorized-limitation');
    },
  );

  it('masks and logs errors without GraphQL extensions (Contract 7.2.1)', async () => {
    const secret = 'never to be told';
    // GraphQL does not wrap an error that has a path.
    const thrown = [
      Object.assign(new Error(secret), { path: ['field'] }),
      Object.assign(new GraphQLError(secret), { path: ['field'], extensions: undefined }),
      Object.assign(new GraphQLError(secret, { nodes: parse('{ field }') }), {
        path: ['field'],
        extensions: undefined,
      }),
    ];
    const schema = buildSdl('type Query { field(at: Int): String }');
    const { field } = schema.getQueryType()?.getFields() ?? {};
    if (field)
      field.resolve = (_, { at }: { at: number }) => {
        throw thrown[at] as Error;
      };
    const reported: string[] = [];
    const settings = parseSettings({});
    const apollo = await startApollo(schema, settings, {
      log: createLog({ logLevel: 'silent', environment: 'test' }),
      formatReply: replyFormatter(
        new ErrorResponder(
          { spendOnce: async () => null },
          { consume: () => null },
          (errors) => void reported.push(...errors.map(({ code }) => code)),
        ),
        schema,
        settings,
      ),
      trusted: new Map(),
    });
    const contextValue = {
      language: 'en',
      work: new RequestWork(),
      cost: new OperationCost(),
      reply: {},
    } as RequestContext;
    contextValue.api = 'graphql';
    for (const at of thrown.keys()) {
      const { body } = await apollo.executeOperation({ query: `{ field(at: ${at}) }` }, { contextValue });
      const { errors } = (body as unknown as { singleResult: FormattedExecutionResult }).singleResult;
      const extensions = { error: 'internal-error', status: 500 };
      expect(errors).toMatchObject([{ message: catalogue['internal-error'].message.en, extensions }]);
      expect(JSON.stringify(errors)).not.toContain(secret);
    }
    expect(reported).toEqual(thrown.map(() => 'internal-error'));
    await apollo.stop();
  });
});

describe('warnings', () => {
  it('have exactly the codes of the contract (Contract 7.5.2)', () => {
    expect([...statement('7.5.2').matchAll(/`([a-z-]+)`/g)].map(([, code]) => code)).toEqual(
      Object.keys(warningMessages),
    );
  });

  it('are a list in the GraphQL payload, empty if there are none (Contract 7.5.1, 7.5.2)', async () => {
    const query =
      'mutation ($input: UpdateJobInput!) { updateJob(input: $input) { warnings { code field message } } }';
    const send = (input: object) => graphql(gateway, query, { input: { ...ofJob, ...input } }, { token });
    const warned = await send({ descriptionJob: '<script>x</script>Hello' });
    expect(warned.body.data).toEqual({
      updateJob: {
        warnings: [
          { code: 'html_cleaned', field: 'descriptionJob', message: warningMessages['html-cleaned'].en },
        ],
      },
    });
    expect((await send({})).body.data).toEqual({ updateJob: { warnings: [] } });
  });
});

describe('a GraphQL reply', () => {
  it.each([
    ['{ __typename viewer { subject } }', 200, { __typename: 'Query', viewer: null }],
    ['{ viewer { subject } references(kind: sector) { name } }', 401, undefined],
  ])(
    'has the challenge of a caller without a token: %s (Contract 7.3.2, 7.3.3)',
    async (query, ...expected) => {
      const { status, headers, body } = await graphql(gateway, query);
      expect([status, body.data]).toEqual(expected);
      expect(headers.get('www-authenticate')).toBe('Bearer realm="gateway"');
    },
  );
});

describe('the schema', () => {
  it('has the reasons of faults as an enum, and some error has each reason (Contract 7.4.3)', () => {
    const type = buildSchema().getType('FaultReason') as GraphQLEnumType;
    const reasons = errorCodes.flatMap((code) => (catalogue[code] as CatalogueEntry).reasons ?? []);
    expect(new Set(type.getValues().map(({ name }) => name))).toEqual(new Set(reasons));
    expect(type.getValues().filter(({ description }) => !description)).toEqual([]);
    expect(statement('7.4.3').match(/`[a-z_]+`/g)).toEqual(
      expect.arrayContaining(type.getValues().map(({ name }) => `\`${name}\``)),
    );
  });

  it('has the reasons of a lack of authority as an enum (Contract 7.3.3)', () => {
    const type = buildSchema().getType('UnauthorizedReason') as GraphQLEnumType;
    const names = type.getValues().map(({ name }) => name);
    expect(names).toEqual(Object.keys(unauthorizedReasons));
    expect(statement('7.3.3').match(/`[a-z_]+`/g)).toEqual(
      expect.arrayContaining(names.map((name) => `\`${name}\``)),
    );
  });
});

describe('a database error', () => {
  const concern = { ok: 1, code: 64, errmsg: 'waiting for replication timed out' };
  const answered = (code: number, ...errorLabels: string[]) =>
    new mongo.MongoServerError({ code, message: 'no', errorLabels });
  it.each([
    [
      'a write that a change of primary may undo',
      new mongo.MongoWriteConcernError({ writeConcernError: { code: 100, errmsg: 'no' }, ok: 1 }),
    ],
    ['a write not replicated in time', new mongo.MongoServerError(concern)],
    [
      'a batch that lost its connection',
      new mongo.MongoBulkWriteError(new mongo.MongoNetworkError('gone') as never, {} as never),
    ],
    ['a cleared connection pool', Object.assign(new Error('cleared'), { name: 'PoolClearedOnNetworkError' })],
    ...Object.entries({
      'a router that finds no primary for a shard': 133,
      'a replica that cannot serve majority reads yet': 134,
      'a database that limits requests': 462,
      'a lock held too long': 24,
      'a write conflict in DocumentDB': 112,
      'a write that did not fit in the cache': 365,
      'a command that an operator ended': 11_601,
      'records moving to another shard': 13_388,
    }).map(([what, code]) => [what, answered(code)] as const),
    [
      'a deadlock, of which DocumentDB tells in words only',
      new mongo.MongoServerError({ code: 2, message: 'deadlock detected' }),
    ],
    ['an overload with a code of newer servers', answered(433, 'SystemOverloadedError')],
    ['a write labelled retryable', answered(91_331, 'RetryableWriteError')],
    ['a socket that broke during a command', Object.assign(new Error('broken'), { code: 'EPIPE' })],
  ])('becomes service-unavailable if transient: %s (Contract 7.2.1)', (_, error) => {
    expect(toDomainError(error)).toMatchObject({
      code: 'service-unavailable',
      details: { retryAfterSeconds: 1, cause: error },
    });
  });

  it('if permanent, becomes internal-error, and the reply does not show the message of the database (Contract 7.2.1)', () => {
    const error = toDomainError(answered(2));
    expect(toErrorBody(error, 'en').errorMessage).toBe(catalogue['internal-error'].message.en);
  });
});
