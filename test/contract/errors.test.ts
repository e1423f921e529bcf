import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import {
  type FormattedExecutionResult,
  GraphQLError,
  type GraphQLEnumType,
  GraphQLInt,
  GraphQLObjectType,
  GraphQLSchema,
  GraphQLString,
  parse,
} from 'graphql';
import { mongo } from 'mongoose';
import { readFileSync } from 'node:fs';
import { Bill } from '../../src/access/bill.js';
import { type RequestContext } from '../../src/access/request-context.js';
import { warningMessages } from '../../src/fields/warning.js';
import { catalogue, type CatalogueEntry, errorCodes, languages } from '../../src/errors/catalogue.js';
import { DomainError } from '../../src/errors/domain-error.js';
import { toErrorBody } from '../../src/errors/error-body.js';
import { toDomainError } from '../../src/database/mask-error.js';
import { toGraphQLError } from '../../src/errors/refusal.js';
import { startApollo } from '../../src/graphql/apollo.js';
import { buildSchema } from '../../src/graphql/schema.js';
import { replySettler } from '../../src/graphql/settle-reply.js';
import { Exit } from '../../src/http/exit.js';
import { createLog } from '../../src/log/log.js';
import { ReferenceService } from '../../src/reference/reference.service.js';
import { parseSettings } from '../../src/settings/settings.js';
import { ownGateway } from '../support/own-gateway.js';
import { graphql, type GraphQLBody, rest } from '../support/requests.js';

const contract = readFileSync(new URL('../../schema/contract.md', import.meta.url), 'utf8');

const gateway = ownGateway({ UPDATE_JOB_QUOTA: '2/1m' });
let token: string;
let subject: string;
beforeEach(async () => {
  await gateway.reset();
  // A new subject: the process remembers an empty bucket until its window ends.
  subject = randomUUID();
  token = await gateway.token({ sub: subject });
});

const ids = { media_public_id: 'demo-media', company_public_id: 'acme' };
const jobPath = '/jobs/acme-backend-engineer';
const updateJob = 'mutation ($input: UpdateJobInput!) { updateJob(input: $input) { job { salary } } }';
const jobInput = {
  mediaPublicId: 'demo-media',
  companyPublicId: 'acme',
  jobPublicId: 'acme-backend-engineer',
};
const extensionsOf = ({ errors }: GraphQLBody) => errors?.map(({ extensions }) => extensions);

describe('the catalogue of errors', () => {
  it('has exactly the codes of the contract (Contract 7.1.1)', () => {
    const rows = [...contract.matchAll(/^\| `([a-z-]+)` +\| (\d{3}) +\| ([^|]+?) +\|/gm)];
    expect(rows.map(([, code]) => code)).toEqual(errorCodes);
    expect(
      rows.map(([, , status, graphqlCode = '']) => [Number(status), graphqlCode.match(/[A-Z_]+/g)?.at(-1)]),
    ).toEqual(errorCodes.map((code) => [catalogue[code].status, catalogue[code].graphqlCode]));
  });

  it.each(errorCodes)('gives %s the same status and message over both APIs (Contract 7.1.1)', (code) => {
    for (const language of languages) {
      const error = new DomainError(code);
      const body = toErrorBody(error, language);
      const formatted = toGraphQLError({ error }, { language, requestId: 'r-1' });
      expect(body).toEqual({
        status: catalogue[code].status,
        error: code,
        errorMessage: catalogue[code].message[language],
      });
      expect(formatted.message).toBe(body.errorMessage);
      expect(formatted.extensions).toEqual({
        code: catalogue[code].graphqlCode,
        error: code,
        status: body.status,
        requestId: 'r-1',
      });
    }
  });

  it('masks and logs errors without GraphQL extensions (Contract 7.1.4)', async () => {
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
    const schema = new GraphQLSchema({
      query: new GraphQLObjectType({
        name: 'Query',
        fields: {
          field: {
            type: GraphQLString,
            args: { at: { type: GraphQLInt } },
            resolve: (_, { at }: { at: number }) => {
              throw thrown[at] as Error;
            },
          },
        },
      }),
    });
    const reported: string[] = [];
    const settings = parseSettings({});
    const apollo = await startApollo(schema, settings, {
      log: createLog({ logLevel: 'silent', environment: 'test' }),
      settle: replySettler(
        new Exit(
          { spendOnce: async () => null },
          { consume: () => null },
          (errors) => void reported.push(...errors.map(({ code }) => code)),
        ),
        { hasHints: false, schema },
      ),
      trusted: new Map(),
      countReferences: () => 0,
    });
    for (const at of thrown.keys()) {
      const { body } = await apollo.executeOperation(
        { query: `{ field(at: ${at}) }` },
        {
          contextValue: {
            language: 'en',
            requestId: 'r-1',
            transport: 'graphql',
            buckets: new Map(),
            bill: new Bill(),
            reply: {},
          } as unknown as RequestContext,
        },
      );
      const { errors } = (body as unknown as { singleResult: FormattedExecutionResult }).singleResult;
      expect(errors).toMatchObject([
        {
          message: catalogue['internal-error'].message.en,
          extensions: { error: 'internal-error', status: 500 },
        },
      ]);
      expect(JSON.stringify(errors)).not.toContain(secret);
    }
    expect(reported).toEqual(thrown.map(() => 'internal-error'));
    await apollo.stop();
  });

  it('masks any error outside the catalogue, over both APIs (Contract 7.1.4)', async () => {
    await gateway.models.jobs.collection.updateOne(
      { publicId: 'acme-backend-engineer' },
      { $set: { location: null } },
    );
    const reply = await rest(gateway, 'POST', jobPath, { form: ids }, { token });
    expect([reply.status, reply.body]).toEqual([
      500,
      { status: 500, error: 'internal-error', errorMessage: 'Something went wrong on our side.' },
    ]);
    const { status, body } = await graphql(
      gateway,
      '{ job(publicId: "acme-backend-engineer") { location { city } } }',
      {},
      { token },
    );
    expect(status).toBe(500);
    expect(body.errors).toEqual([
      {
        message: 'Something went wrong on our side.',
        locations: expect.anything(),
        path: ['job'],
        extensions: {
          code: 'INTERNAL_SERVER_ERROR',
          error: 'internal-error',
          status: 500,
          requestId: expect.any(String),
        },
      },
    ]);
  });

  it('gives the seconds to wait with status 429 (Contract 7.1.3)', async () => {
    const replies = [];
    for (let count = 0; count < 3; count += 1)
      replies.push(await rest(gateway, 'POST', jobPath, { form: ids }, { token }));
    const [refused] = replies.filter(({ status }) => status === 429);
    expect(refused?.body.error).toBe('rate-limit-exceeded');
    expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
  });
});

describe('warnings', () => {
  it('have exactly the codes of the contract (Contract 7.5.2)', () => {
    const [, list = ''] = /\*\*7\.5\.2\*\*([^]*?)\n(?! )/.exec(contract) ?? [];
    expect([...list.matchAll(/`([a-z-]+)`/g)].map(([, code]) => code)).toEqual(Object.keys(warningMessages));
  });

  it('are a list in the GraphQL payload, or null if none (Contract 7.5.1)', async () => {
    const query =
      'mutation ($input: UpdateJobInput!) { updateJob(input: $input) { warnings { code field message } } }';
    const send = (input: object) => graphql(gateway, query, { input: { ...jobInput, ...input } }, { token });
    const warned = await send({ descriptionJob: '<script>x</script>Hello' });
    expect(warned.body.data).toEqual({
      updateJob: {
        warnings: [
          { code: 'html-cleaned', field: 'descriptionJob', message: warningMessages['html-cleaned'].en },
        ],
      },
    });
    expect((await send({})).body.data).toEqual({ updateJob: { warnings: null } });
  });
});

describe('errors over GraphQL', () => {
  const send = (input: object, as: string | undefined = token, headers = {}) =>
    graphql(gateway, updateJob, { input: { ...jobInput, ...input } }, { token: as, headers });

  it('have a GraphQL code, catalogue code, status, request id and faults by path (Contract 7.2.1)', async () => {
    const { body } = await send({ salary: 'x'.repeat(31) }, token, { 'x-request-id': 'r-7' });
    expect(body.data).toEqual({ updateJob: null });
    expect(extensionsOf(body)).toEqual([
      {
        code: 'BAD_USER_INPUT',
        error: 'validation-failed',
        status: 422,
        requestId: 'r-7',
        fields: [
          {
            path: ['input', 'salary'],
            code: 'salary-too-long',
            reason: 'too_long',
            message: 'Enter at most 30 characters.',
          },
        ],
      },
    ]);
  });

  it('distinguish a missing or invalid token from too little authority (Contract 7.2.2)', async () => {
    const codes = async (as: string | undefined) => {
      const { body } = await graphql(gateway, updateJob, { input: jobInput }, { token: as });
      return extensionsOf(body)?.map(({ code, error }) => [code, error]);
    };
    expect(await codes(undefined)).toEqual([['UNAUTHENTICATED', 'unauthorized-limitation']]);
    expect(await codes('not.a.token')).toEqual([['UNAUTHENTICATED', 'unauthorized-limitation']]);
    expect(await codes(await gateway.token({ scope: 'r_jobs' }))).toEqual([
      ['FORBIDDEN', 'unauthorized-limitation'],
    ]);
  });

  it.each([
    ['a field fault', { salary: 'x'.repeat(31) }, 200],
    ['an absent record', { jobPublicId: 'nothing' }, 200],
    ['a conflict', { companyPublicId: 'globex', jobPublicId: 'globex-accountant' }, 200],
    ['a media out of reach', { mediaPublicId: 'other-media' }, 200],
  ])(
    'for %s (%j) give HTTP %d if the answer has no data (Contract 7.2.3)',
    async (_name, input, expected) => {
      const { status, body } = await send(input);
      expect(body.data).toEqual({ updateJob: null });
      expect(status).toBe(expected);
    },
  );

  it('with another status than 200 have no data (Contract 7.2.3)', async () => {
    for (const as of [undefined, 'not.a.token']) {
      const { status, body } = await graphql(gateway, updateJob, { input: jobInput }, { token: as });
      expect([status, 'data' in body]).toEqual([401, false]);
    }
  });

  it('with one refusal for lack of authority have its challenge, and the missing scope (Contract 7.2.5)', async () => {
    const reader = await gateway.token({ scope: 'r_jobs' });
    const insufficient = await graphql(gateway, updateJob, { input: jobInput }, { token: reader });
    expect([insufficient.status, insufficient.headers.get('www-authenticate')]).toEqual([
      200,
      'Bearer realm="gateway", error="insufficient_scope", scope="r_w_jobs", error_description="the token lacks the scope r_w_jobs"',
    ]);
    expect(extensionsOf(insufficient.body)).toMatchObject([{ code: 'FORBIDDEN', scope: 'r_w_jobs' }]);
    const foreign = await send({ mediaPublicId: 'other-media' });
    expect(foreign.headers.get('www-authenticate')).toBe('Bearer realm="gateway"');
    expect(extensionsOf(foreign.body)?.[0]).not.toHaveProperty('scope');
    const stranger = await graphql(gateway, '{ __typename viewer { subject } }');
    expect([stranger.status, stranger.headers.get('www-authenticate')]).toEqual([
      200,
      'Bearer realm="gateway"',
    ]);
    const two = await graphql(gateway, '{ viewer { subject } errors { code } }');
    expect([two.status, two.headers.get('www-authenticate')]).toEqual([401, 'Bearer realm="gateway"']);
    const faulty = await send({ salary: 'x'.repeat(31) });
    expect(faulty.headers.has('www-authenticate')).toBe(false);
  });

  it('with partial data give HTTP 200 (Contract 7.2.3)', async () => {
    const { status, body } = await graphql(gateway, '{ __typename viewer { subject } }');
    expect([status, body.data]).toEqual([200, { __typename: 'Query', viewer: null }]);
  });

  it('give HTTP 429 with the seconds to wait when the bucket is empty (Contract 7.2.3)', async () => {
    await send({});
    await send({});
    const { status, headers, body } = await send({});
    expect([status, extensionsOf(body)?.[0]?.code]).toEqual([429, 'RATE_LIMITED']);
    expect(Number(headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
  });

  it.each([
    ['that does not parse', '{ viewer {', 'GRAPHQL_PARSE_FAILED', 'body-format-error'],
    ['with an unknown field', '{ viewer { password } }', 'BAD_USER_INPUT', 'validation-failed'],
    [
      'with an unknown input field',
      'mutation { updateJob(input: { a: 1 }) { job { name } } }',
      'BAD_USER_INPUT',
      'validation-failed',
    ],
    [
      'with a variable of the wrong type',
      'query ($id: String!) { job(publicId: $id) { name } }',
      'BAD_USER_INPUT',
      'validation-failed',
    ],
  ])('give HTTP 400 for a document %s (Contract 7.2.4)', async (_name, query, code, error) => {
    const { status, body } = await graphql(gateway, query, { id: 5 }, { token });
    expect([status, Object.keys(body)]).toEqual([400, ['errors', 'extensions']]);
    const expected = { code, error, status: 400, requestId: expect.any(String) as unknown };
    expect(body.errors?.[0]?.extensions).toMatchObject(expected);
  });
});

describe('the GraphQL API', () => {
  const query = '{ viewer { subject roles scopes media brand expiresAt } }';
  const authorization = () => ({ authorization: `Bearer ${token}` });

  it('accepts GET for queries but not for mutations (Contract 4.4.1)', async () => {
    const get = (text: string) =>
      fetch(`${gateway.url}/graphql?query=${encodeURIComponent(text)}`, {
        headers: { ...authorization(), 'apollo-require-preflight': '1' },
      });
    const read = await get(query);
    expect([read.status, await read.json()]).toMatchObject([200, { data: { viewer: { subject } } }]);
    const write = await get('mutation { updateJob(input: {}) { job { name } } }');
    expect(write.status).toBeGreaterThanOrEqual(400);
  });

  it('accepts POST with JSON, and `viewer` describes the caller (Contract 4.4.1, 4.4.3)', async () => {
    const { body } = await graphql(gateway, query, {}, { token });
    expect(body).toMatchObject({
      data: {
        viewer: {
          subject,
          roles: ['media_admin'],
          scopes: ['r_w_jobs', 'r_w_companies'],
          media: ['demo-media'],
          brand: null,
          expiresAt: expect.stringMatching(/Z$/),
        },
      },
    });
  });

  it('without a company scope, shows only the public id and name of a company (Contract 5.2.4)', async () => {
    const jobsOnly = await gateway.token({ scope: 'r_w_jobs' });
    const text = `{
      job(publicId: "acme-backend-engineer") { company { publicId name } }
      company(mediaPublicId: "demo-media", publicId: "acme") { name }
    }`;
    const { body } = await graphql(gateway, text, {}, { token: jobsOnly });
    expect(body.data).toEqual({ job: { company: { publicId: 'acme', name: 'Acme' } }, company: null });
    expect(extensionsOf(body)?.map(({ code }) => code)).toEqual(['FORBIDDEN']);
    const more = await graphql(
      gateway,
      '{ job(publicId: "acme-backend-engineer") { company { content { description } } } }',
      {},
      { token: jobsOnly },
    );
    expect(more.status).toBe(400);
  });

  it('answers an absent job like a job out of reach (Contract 4.4.5)', async () => {
    const answerOf = async (publicId: string) => {
      const { status, body } = await graphql(
        gateway,
        `{ job(publicId: "${publicId}") { name } }`,
        {},
        { token },
      );
      return {
        status,
        errors: body.errors?.map(({ message, extensions: { requestId, ...rest } }) => ({
          message,
          ...rest,
          hasId: Boolean(requestId),
        })),
      };
    };
    const absent = await answerOf('nothing');
    expect(absent).toEqual(await answerOf('initech-tester'));
    expect(absent).toEqual({
      status: 200,
      errors: [
        {
          message: 'Unauthorized',
          code: 'FORBIDDEN',
          error: 'unauthorized-limitation',
          status: 401,
          hasId: true,
        },
      ],
    });
  });

  it('has no subscriptions, and sends nothing without a request (Contract 6.1, 7.2.4)', async () => {
    const { status, body } = await graphql(gateway, 'subscription { job { name } }', {}, { token });
    expect([status, Object.keys(body)]).toEqual([400, ['errors', 'extensions']]);
    expect(body.errors?.[0]?.message).toBe('The schema has no subscriptions.');
    expect(extensionsOf(body)).toEqual([
      expect.objectContaining({ code: 'BAD_USER_INPUT', error: 'validation-failed', status: 400 }),
    ]);
  });
});

describe('the query `errors`', () => {
  const ask = async (token?: string, language = 'en') =>
    graphql(
      gateway,
      '{ errors { code error status graphqlCode message reasons } }',
      {},
      { token, headers: { 'accept-language': language } },
    );

  it.each(['en', 'fr'] as const)('lists the whole catalogue in %s (Contract 4.4.9)', async (language) => {
    const { body } = await ask(await gateway.token({ roles: [], scope: '' }), language);
    expect(body.data).toEqual({
      errors: errorCodes.map((code) => ({
        code: code.replaceAll('-', '_'),
        error: code,
        status: catalogue[code].status,
        graphqlCode: catalogue[code].graphqlCode,
        message: catalogue[code].message[language],
        reasons: (catalogue[code] as CatalogueEntry).reasons ?? [],
      })),
    });
  });

  it('needs a token, like every field not explicitly open (Contract 5.2.3)', async () => {
    const { status, body } = await ask();
    expect([status, body.data]).toEqual([401, undefined]);
  });

  it('has the reasons of faults as an enum, each of which some error can have (Contract 4.4.9, 7.3.3)', () => {
    const type = buildSchema().getType('FaultReason') as GraphQLEnumType;
    const reasons = errorCodes.flatMap((code) => (catalogue[code] as CatalogueEntry).reasons ?? []);
    expect(new Set(type.getValues().map(({ name }) => name))).toEqual(new Set(reasons));
    expect(type.getValues().filter(({ description }) => !description)).toEqual([]);
    expect(contract.match(/\*\*7\.3\.3\*\*([^]*?)\n(?! )/)?.[1]?.match(/`[a-z_]+`/g)).toEqual(
      expect.arrayContaining(type.getValues().map(({ name }) => `\`${name}\``)),
    );
  });

  it('has the error codes as an enum (Contract 4.4.9)', () => {
    const type = buildSchema().getType('ErrorCode') as GraphQLEnumType;
    expect(type.getValues().map(({ value }) => value as string)).toEqual(errorCodes);
  });
});

describe('a database error', () => {
  const concern = { ok: 1, code: 64, errmsg: 'waiting for replication timed out' };
  const answered = (code: number) => new mongo.MongoServerError({ code, message: 'no' });
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
    ['a router that finds no primary for a shard', answered(133)],
    ['a replica that cannot serve majority reads yet', answered(134)],
    ['a database that limits requests', answered(462)],
    ['a lock held too long', answered(24)],
    ['a write conflict in DocumentDB', answered(112)],
    ['a write that did not fit in the cache', answered(365)],
    ['a command that an operator ended', answered(11_601)],
    ['records moving to another shard', answered(13_388)],
    [
      'an overload with a code of newer servers',
      new mongo.MongoServerError({ code: 433, message: 'no', errorLabels: ['SystemOverloadedError'] }),
    ],
    [
      'a write labelled retryable',
      new mongo.MongoServerError({ code: 91_331, message: 'no', errorLabels: ['RetryableWriteError'] }),
    ],
    ['a socket that broke during a command', Object.assign(new Error('broken'), { code: 'EPIPE' })],
  ])('becomes service-unavailable if transient: %s (Contract 7.1.1)', (_, error) => {
    expect(toDomainError(error)).toMatchObject({
      code: 'service-unavailable',
      details: { retryAfterSeconds: 1, cause: error },
    });
  });

  it('if permanent, becomes internal-error, and the reply does not show the message of the database (Contract 7.1.4)', () => {
    const error = toDomainError(answered(2));
    expect(toErrorBody(error, 'en').errorMessage).toBe(catalogue['internal-error'].message.en);
  });
});

describe('an update refused before its references are checked', () => {
  it('gets an answer even if reading the references fails', async () => {
    jest.spyOn(ReferenceService.prototype, 'read').mockRejectedValueOnce(new Error('away'));
    const form = { media_public_id: 'demo-media', company_public_id: 'nobody', name: 'X' };
    const { body } = await rest(gateway, 'PATCH', '/companies', { form }, { token });
    expect(body).toMatchObject({ error: 'company-not-found' });
  });
});
