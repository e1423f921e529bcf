import { beforeAll, describe, expect, it } from '@jest/globals';
import { type GraphQLEnumType } from 'graphql';
import {
  catalogue,
  type ErrorCode,
  errorCodes,
  graphqlCodeOf,
  type Language,
} from '../../src/errors/catalogue.js';
import { buildSchema } from '../../src/graphql/schema.js';
import { type Bucket } from '../../src/operations.js';
import { assertDocumented } from '../support/documented-reply.js';
import { type TestGateway } from '../support/gateway.js';
import { ownGateway } from '../support/own-gateway.js';
import { type GraphQLBody, type RestBody } from '../support/requests.js';
import { badTokens } from '../support/tokens.js';
import { occasions } from './examples/occasions.js';
import { limits, tooLarge, unreadable } from './refusals/bodies.js';
import { documents, faultyFields } from './refusals/fields.js';
import { nowhere, unsupported } from './refusals/paths.js';
import { authority, records } from './refusals/records.js';
import { type Refusal, type Sent } from './refusals/refusal.js';
import { document } from './refusals/requests.js';

const buckets: Record<Bucket, number> = { updateJob: 20, mutation: 30, read: 40 };
const failures = 3;
const gateway = ownGateway({
  UPDATE_JOB_QUOTA: `${buckets.updateJob}/1m`,
  MUTATION_QUOTA: `${buckets.mutation}/1m`,
  READ_QUOTA: `${buckets.read}/1m`,
  AUTH_FAILURE_QUOTA: `${failures}/1m`,
  BODY_MAX_SIZE: `${limits.body / 1_024}KiB`,
  LOGO_MAX_SIZE: `${limits.logo / 1_024}KiB`,
  TRUSTED_PROXIES: '127.0.0.1',
  ARCHIVER: 'off',
});

const tables: Record<string, readonly Refusal[]> = {
  'an unreadable request (Contract 5.1.2, 7.3.2, 8.3.2, 8.4.1)': unreadable,
  'a request that is too large (Contract 8.3.2)': tooLarge,
  'an unsupported content type (Contract 7.2.3, 7.3.2)': unsupported,
  'an unknown path (Contract 7.2.2, 7.2.4)': nowhere,
  'too little authority (Contract 3.3.6, 7.2.4, 7.3.2, 7.3.3)': authority,
  'a state of the records (Contract 7.2.1, 7.3.2)': records,
  'invalid fields (Contract 7.2.2, 7.3.1, 7.4.1, 7.4.3, 7.4.4, 8.2.4)': faultyFields,
  'a document or variables that do not fit (Contract 1.5, 5.3.5, 7.3.1, 7.3.2)': documents,
};
const refusals = Object.values(tables).flat();

/** Headers that tell a caller what to do. Every other refusal lacks them. */
const telling = ['allow', 'retry-after', 'accept-post', 'accept-patch'];

let callers = 0;

/** The headers of a new subject at a new address. */
async function newCaller(
  { claims }: Pick<Refusal, 'claims'>,
  place: Pick<TestGateway, 'token'> = gateway,
): Promise<Record<string, string>> {
  callers += 1;
  const from = { 'x-forwarded-for': `192.0.${callers >> 8}.${callers % 256}` };
  if (claims === null) return from;
  const sub = place === gateway ? `subject-${callers}` : 'developer';
  const token =
    typeof claims === 'string'
      ? (await badTokens(gateway.settings))[claims]
      : await place.token({ sub, ...claims });
  return { ...from, authorization: `Bearer ${token}` };
}

async function send({ url }: { url: string }, sent: Sent, headers: Record<string, string> = {}) {
  const { method, path, body } = sent;
  const reply = await fetch(url + path, {
    method,
    headers: { ...sent.headers, ...headers },
    ...(body !== undefined && { body }),
    duplex: 'half',
  });
  return {
    status: reply.status,
    headers: reply.headers,
    body: (await reply.json()) as RestBody & GraphQLBody,
  };
}

const isGraphQL = ({ path }: Sent) => path.startsWith('/graphql') && !path.startsWith('/graphql/');
const make = (sent: Refusal['sent'][number]): Sent => (typeof sent === 'function' ? sent() : sent);

/** The bucket of the operation that a request is for. */
function bucketOf({ path, body }: Sent): Bucket {
  const text = typeof body === 'string' ? body : '';
  if (path.startsWith('/jobs/') || /updateJob\b/.test(text)) return 'updateJob';
  const isMutation = ['/companies', '/jobs'].includes(path.split('?')[0] ?? '') || text.includes('mutation ');
  return isMutation ? 'mutation' : 'read';
}

const inLanguage = (told: string | readonly [en: string, fr: string], language: Language) =>
  typeof told === 'string' ? told : told[language === 'en' ? 0 : 1];

/** The expected message. Has French details only if the row has them. */
function messageOf({ code, hint, message }: Refusal, language: Language, overGraphQL: boolean): unknown {
  if (message !== undefined && overGraphQL) return inLanguage(message, language);
  const stem = catalogue[code].message[language];
  if (hint === undefined) return stem;
  const beforeHint = `${stem.replace(/\.$/, '')}${language === 'fr' ? ' : ' : ': '}`;
  return typeof hint === 'string' && language === 'fr'
    ? expect.stringMatching(new RegExp(`^${beforeHint}(?!${hint.replace(/[^\w ]/g, '\\$&')}\\.$)`))
    : `${beforeHint}${inLanguage(hint, language)}.`;
}

/** The tests of 7.3.6 check the values. */
const anyParameters = (fault: { parameters?: object } | undefined) =>
  fault?.parameters && { parameters: expect.any(Object) };

function expectRest(reply: Awaited<ReturnType<typeof send>>, refusal: Refusal, language: Language) {
  const { code, faults } = refusal;
  const { status } = catalogue[code];
  expect([reply.status, reply.body]).toEqual([
    status,
    {
      status,
      error: code,
      errorMessage: messageOf(refusal, language, false),
      ...(faults && {
        errors: faults.map(([field, fault, en, fr], at) => ({
          ...anyParameters((reply.body.errors as { parameters?: object }[] | undefined)?.[at]),
          field,
          code: fault,
          message: language === 'en' ? en : (fr ?? expect.any(String)),
        })),
      }),
    },
  ]);
  expect(reply.headers.get('content-type')).toBe('application/json; charset=utf-8');
}

function expectGraphQL(reply: Awaited<ReturnType<typeof send>>, refusal: Refusal, language: Language) {
  const { code, field, fields } = refusal;
  const status = refusal.status ?? catalogue[code].status;
  const graphqlCode = refusal.graphqlCode ?? graphqlCodeOf(code);
  // Once an operation has run, few errors set the status (Contract 7.3.2).
  const decides = [429, 500, 503].includes(status) || graphqlCode === 'UNAUTHENTICATED';
  const hasData = field !== undefined && !decides;
  const { errors, data } = reply.body;
  expect([reply.status, errors]).toEqual([
    hasData ? 200 : status,
    [
      {
        message: messageOf(refusal, language, true),
        ...(errors?.[0] && 'locations' in errors[0] && { locations: expect.any(Array) }),
        ...(field !== undefined && { path: [field] }),
        extensions: {
          code: graphqlCode,
          error: code,
          status,
          ...(fields && {
            fields: fields.map(([path, fault, reason, en], at) => ({
              ...anyParameters(
                (errors?.[0] as { extensions?: { fields?: object[] } })?.extensions?.fields?.[at],
              ),
              path: path.split('.'),
              code: fault,
              reason,
              message: en !== undefined && language === 'en' ? en : expect.any(String),
            })),
          }),
          ...refusal.extensions,
          requestId: reply.headers.get('x-request-id'),
        },
      },
    ],
  ]);
  expect('data' in reply.body).toBe(hasData);
  if (hasData) expect(Object.values(data ?? {}).filter((each) => each !== null)).toEqual([]);
}

function expectCharge(
  { headers, body }: Awaited<ReturnType<typeof send>>,
  bucket: Bucket | null,
  times: number,
) {
  const limit = bucket && buckets[bucket];
  const state = limit === null ? [null, null] : [limit, limit - times].map(String);
  expect(['limit', 'remaining'].map((name) => headers.get(`ratelimit-${name}`))).toEqual(state);
  if (!('errors' in body) || body.error) return;
  expect(body.extensions?.rateLimit).toEqual(
    limit === null ? undefined : { limit, remaining: limit - times, resetSeconds: expect.any(Number) },
  );
}

let demoRecords: unknown;
const readRecords = async () => [
  await gateway.models.jobs.find().lean(),
  await gateway.models.companies.find().lean(),
];

describe.each(Object.entries(tables))('%s', (_name, rows) => {
  beforeAll(async () => {
    await gateway.reset();
    demoRecords = await readRecords();
  });
  it.each(rows.map((row): [string, Refusal] => [row.title, row]))('%s', async (_title, row) => {
    const { code, before, headers = {}, challenge = null, sent } = row;
    const occasion = code === 'payload-too-large' ? undefined : occasions[code];
    const check = async (place: Pick<TestGateway, 'url' | 'token'>) => {
      for (const each of sent) {
        const caller = await newCaller(row, occasion && place);
        if (before) expect((await send(place, before, caller)).status).toBeLessThan(300);
        for (const [index, language] of (['en', 'fr'] as const).entries()) {
          const request = make(each);
          // The second reply has another media type over GraphQL, whichever layer refuses.
          const accept = isGraphQL(request) && index === 1 && { accept: 'application/graphql-response+json' };
          const reply = await send(place, request, { ...caller, ...accept, 'accept-language': language });
          if (isGraphQL(request)) {
            expectGraphQL(reply, row, language);
            const type = accept ? accept.accept : 'application/json';
            expect(reply.headers.get('content-type')).toBe(`${type}; charset=utf-8`);
          } else {
            expectRest(reply, row, language);
            assertDocumented(request, reply);
          }
          expect(reply.headers.get('www-authenticate')).toBe(challenge);
          for (const name of telling.filter((name) => !(name in headers)))
            expect(reply.headers.get(name)).toBeNull();
          for (const [name, value] of Object.entries(headers))
            expect(reply.headers.get(name)).toEqual(
              typeof value === 'string' ? value : expect.stringMatching(value),
            );
          const bucket = row.bucket ?? (code === 'unauthorized-limitation' ? null : bucketOf(request));
          if (place === gateway || row.bucket === null)
            expectCharge(reply, row.bucket === null ? null : bucket, index + (before ? 2 : 1));
        }
      }
    };
    await (occasion ? occasion(gateway, check) : check(gateway));
    if (occasion || before) await gateway.reset();
    else expect(await readRecords()).toEqual(demoRecords);
  });
});

it('the tables have every error of the catalogue (Contract 7.2.1)', () => {
  expect(errorCodes.filter((code) => !refusals.some((row) => row.code === code))).toEqual([]);
});

it.each(['FaultReason', 'UnauthorizedReason'])('the tables have every %s (Contract 7.3.3, 7.4.3)', (name) => {
  const told = refusals.flatMap(({ fields = [], extensions = {} }) => [
    ...fields.map(([, , reason]) => reason),
    ...('reason' in extensions ? [extensions.reason] : []),
  ]);
  const reasons = (buildSchema().getType(name) as GraphQLEnumType).getValues().map((each) => each.name);
  expect(reasons.filter((reason) => !told.includes(reason))).toEqual([]);
});

const viewer = document('{ viewer { subject quotas { name remaining } } }');
const codeOf = ({ body }: Awaited<ReturnType<typeof send>>): ErrorCode | undefined =>
  (body.error ?? body.errors?.[0]?.extensions.error) as ErrorCode | undefined;
const overdrawn = 'rate-limit-exceeded';
const firsts = (rows: readonly Refusal[]) =>
  rows.map(({ title, code, sent: [first] }): [string, ErrorCode, Sent] => [title, code, make(first as Sent)]);

describe('refusals without a token, before the operation is known, count against the address (Contract 8.1.3, 8.2.4)', () => {
  const early = refusals.filter(
    ({ field, claims, sent: [first] }) =>
      field === undefined && claims === undefined && typeof first === 'object' && isGraphQL(first),
  );
  it.each(firsts(early))('%s', async (_title, code, sent) => {
    const from = await newCaller({ claims: null });
    const codes = [];
    for (let count = 0; count <= failures; count += 1) codes.push(codeOf(await send(gateway, sent, from)));
    expect(codes).toEqual([...Array<ErrorCode>(failures).fill(code), overdrawn]);
    expect(codeOf(await send(gateway, viewer, from))).toBe(overdrawn);
    const { authorization = '' } = await newCaller({});
    expect((await send(gateway, viewer, { ...from, authorization })).status).toBe(200);
  });
});

describe('refusals beyond the authority of a token count against its subject at any address, and spend no unit (Contract 8.1.3)', () => {
  const beyond = authority.filter(({ claims, bucket }) => typeof claims === 'object' && claims && !bucket);
  it.each(
    beyond.flatMap(({ title, claims, sent }) =>
      sent.map((each): [string, Refusal['claims'], Sent] => [title, claims, make(each)]),
    ),
  )('%s', async (_title, claims, sent) => {
    const { authorization = '' } = await newCaller({ claims });
    const codes = [];
    for (let count = 0; count <= failures; count += 1)
      codes.push(
        codeOf(await send(gateway, sent, { ...(await newCaller({ claims: null })), authorization })),
      );
    expect(codes).toEqual([...Array<string>(failures).fill('unauthorized-limitation'), overdrawn]);
    const { status, headers } = await send(gateway, sent, { authorization });
    expect([status, headers.get('ratelimit-limit')]).toEqual([429, null]);
    const { body } = await send(gateway, viewer, { authorization });
    const { quotas } = body.data?.viewer as { quotas: { name: Bucket; remaining: number }[] };
    expect(quotas.map(({ name, remaining }) => [name, remaining])).toEqual(
      quotas.map(({ name }) => [name, buckets[name] - (name === 'read' ? 1 : 0)]),
    );
  });
});
