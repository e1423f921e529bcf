import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { ApolloClient, ApolloLink, gql, HttpLink, InMemoryCache } from '@apollo/client';
import { SetContextLink } from '@apollo/client/link/context';
import { fileURLToPath } from 'node:url';
import { gatewayLink, type GatewayLinkOptions, typePolicies } from '../../schema/client/src/apollo.js';
import { JobDocument, readRefusal, UpdateJobDocument } from '../../schema/client/src/index.js';
import { startTestGateway, type TestGateway } from '../support/gateway.js';
import { ownGateway } from '../support/own-gateway.js';
import { broken, refusalOf } from '../support/client-replies.js';
import { openSeverableDatabase } from '../support/severable.js';
import { until } from '../support/until.js';
import { ofJob as input } from '../support/updates.js';

interface Traffic {
  bodies: { query?: string; variables: { idempotencyKey?: string; input?: { salary?: string } } }[];
  statuses: number[];
  repliesToLose: number;
}

async function open(gateway: TestGateway, options?: GatewayLinkOptions) {
  const traffic: Traffic = { bodies: [], statuses: [], repliesToLose: 0 };
  const watchedFetch: typeof fetch = async (url, init) => {
    traffic.bodies.push(JSON.parse(init?.body as string) as Traffic['bodies'][number]);
    const response = await fetch(url, init);
    traffic.statuses.push(response.status);
    if (traffic.repliesToLose-- > 0) throw broken();
    return response;
  };
  const http = new HttpLink({
    uri: `${gateway.url}/graphql`,
    headers: { authorization: `Bearer ${await gateway.token()}` },
    fetch: watchedFetch,
  });
  const client = new ApolloClient({
    link: ApolloLink.from([gatewayLink(options), http]),
    cache: new InMemoryCache({ typePolicies }),
  });
  // The link retries only after a first reply.
  await client.query({ query: gql('{ __typename }'), fetchPolicy: 'no-cache', errorPolicy: 'all' });
  Object.assign(traffic, { bodies: [], statuses: [] });
  const save = (salary: string, dryRun = false) =>
    client.mutate({ mutation: UpdateJobDocument, variables: { input: { ...input, salary }, dryRun } });
  return { client, save, traffic };
}

const gateway = ownGateway();
const long = ownGateway({ UPDATE_JOB_QUOTA: '1/60s', AUTH_FAILURE_QUOTA: '1/60s' });

describe('the link of the typed client', () => {
  beforeEach(() => gateway.reset());

  it('resends an update with the same key if the reply was lost (Contract 6.2.1)', async () => {
    const { save, traffic } = await open(gateway);
    traffic.repliesToLose = 2;
    const { data } = await save('55 000 €');
    expect(data?.updateJob?.job).toMatchObject({ salary: '55 000 €', version: 2 });
    const keys = traffic.bodies.map(({ variables }) => variables.idempotencyKey);
    expect(keys).toEqual([keys[0], keys[0], keys[0]]);
    expect(keys[0]).toMatch(/^[0-9a-f]{32}$/);
  });

  it('gives every update its own key', async () => {
    const { save, traffic } = await open(gateway);
    await save('1');
    await save('2');
    expect(new Set(traffic.bodies.map(({ variables }) => variables.idempotencyKey)).size).toBe(2);
  });

  it('sends a mutation without a key only once, and resends a query', async () => {
    const { client, traffic } = await open(gateway);
    const mutation = gql`
      mutation ($input: UpdateJobInput!) {
        updateJob(input: $input) {
          job {
            publicId
          }
        }
      }
    `;
    traffic.repliesToLose = 1;
    await expect(client.mutate({ mutation, variables: { input } })).rejects.toThrow('fetch failed');
    expect(traffic.bodies).toHaveLength(1);
    traffic.repliesToLose = 1;
    const { data } = await client.query({ query: JobDocument, variables: { publicId: input.jobPublicId } });
    expect(data?.job?.name).toBe('Backend Engineer');
    expect(traffic.bodies).toHaveLength(3);
  });

  it.each([
    'updateJob(input: $input, idempotencyKey: $idempotencyKey) { job { version } } again: updateJob(input: $input) { job { version } }',
    'updateJob(input: $input, idempotencyKey: "a key") { job { version } }',
    '... on Mutation { updateJob(input: $input, idempotencyKey: $idempotencyKey) { job { version } } }',
  ])(
    'sends a mutation only once if the link cannot tell that the key reaches every root field: %s',
    async (fields) => {
      const { client, traffic } = await open(gateway);
      const mutation = gql(`mutation ($input: UpdateJobInput!, $idempotencyKey: String) { ${fields} }`);
      traffic.repliesToLose = 1;
      await expect(client.mutate({ mutation, variables: { input } })).rejects.toThrow('fetch failed');
      expect(traffic.bodies.map(({ variables }) => variables.idempotencyKey)).toEqual([undefined]);
    },
  );

  it('lets the next link set another token for each attempt, and keeps other headers', async () => {
    let tries = 0;
    const sent: [string | null, string | null][] = [];
    const ownFetch: typeof fetch = async (_url, init) => {
      const headers = new Headers(init?.headers);
      sent.push([headers.get('authorization'), headers.get('apollo-require-preflight')]);
      if (sent.length === 2) throw broken();
      return Response.json({ data: { job: null } });
    };
    const authorize = new SetContextLink((context) => ({
      headers: { ...(context.headers as object), authorization: `Bearer ${(tries += 1)}` },
    }));
    const http = new HttpLink({ uri: 'http://gateway/graphql', fetch: ownFetch });
    const link = ApolloLink.from([gatewayLink(), authorize, http]);
    const client = new ApolloClient({ link, cache: new InMemoryCache() });
    for (const publicId of ['first', input.jobPublicId])
      await client.query({ query: JobDocument, variables: { publicId } });
    expect(sent).toEqual([
      ['Bearer 1', 'true'],
      ['Bearer 2', 'true'],
      ['Bearer 3', 'true'],
    ]);
  });

  it('throws the last failure once its patience has run out', async () => {
    const { save, traffic } = await open(gateway, { patienceSeconds: 0 });
    traffic.repliesToLose = 1;
    await expect(save('1')).rejects.toThrow('fetch failed');
    expect(traffic.bodies).toHaveLength(1);
  });
});

describe('the link of the typed client under a quota', () => {
  const brief = ownGateway({ UPDATE_JOB_QUOTA: '2/1s' });

  it('saves five updates at once, though the gateway refuses some at first (Contract 8.1.2)', async () => {
    const { save, traffic } = await open(brief);
    const saved = await Promise.all(['1', '2', '3', '4', '5'].map((salary) => save(salary)));
    expect(saved.map(({ data }) => data?.updateJob?.job.version).sort()).toEqual([2, 3, 4, 5, 6]);
    expect(traffic.statuses.filter((status) => status === 200)).toHaveLength(5);
    expect(traffic.statuses).toContain(429);
  });

  it('passes on a refusal if the seconds to wait exceed its patience (Contract 8.1.2)', async () => {
    const { save, traffic } = await open(long);
    await save('1');
    const refusal = await refusalOf(save('2'));
    expect(refusal).toMatchObject({ error: 'rate-limit-exceeded', status: 429 });
    expect(refusal?.requestId).not.toBe('');
    expect(refusal?.retryAfterSeconds).toBeGreaterThan(50);
    expect(traffic.statuses).toEqual([200, 429]);
  });
});

describe('the link of the typed client with a custom fetch', () => {
  it('reads refusals, with the seconds until a retry from the headers (Contract 8.1.3)', async () => {
    const ownFetch = async (url: unknown, init: unknown): Promise<object> => {
      const response = await fetch(url as string, init as RequestInit);
      return {
        status: response.status,
        headers: new Map(response.headers),
        text: () => response.text(),
      };
    };
    const http = new HttpLink({
      uri: `${long.url}/graphql`,
      headers: { authorization: 'Bearer ended' },
      fetch: ownFetch as typeof fetch,
    });
    const link = ApolloLink.from([gatewayLink(), http]);
    const client = new ApolloClient({ link, cache: new InMemoryCache() });
    const save = () => client.mutate({ mutation: UpdateJobDocument, variables: { input } });
    expect(await refusalOf(save())).toMatchObject({ status: 401, retryAfterSeconds: null });
    const refusal = await refusalOf(save());
    expect(refusal).toMatchObject({ status: 429, error: 'rate-limit-exceeded' });
    expect(refusal?.retryAfterSeconds).toBeGreaterThan(30);
  });
});

describe('the link of the typed client while the database is unreachable', () => {
  it('retries until the call succeeds, and reports how long to wait if its patience ends first (Contract 9.3.2)', async () => {
    const database = await openSeverableDatabase();
    const gateway = await startTestGateway({}, { database });
    try {
      const [patient, impatient] = [await open(gateway), await open(gateway, { patienceSeconds: 0 })];
      database.way.sever();
      const refusal = await refusalOf(impatient.save('1'));
      expect(refusal).toMatchObject({ error: 'service-unavailable', status: 503 });
      expect(refusal?.retryAfterSeconds).toBeGreaterThan(0);

      const saved = patient.save('2');
      await until(() => patient.traffic.statuses.length > 0);
      database.way.restore();
      expect((await saved).data?.updateJob?.job.salary).toBe('2');
      expect(patient.traffic.statuses[0]).toBe(503);
    } finally {
      await gateway.stop();
    }
  });
});

describe('the link of the typed client with a gateway that runs only trusted documents', () => {
  const gateway = ownGateway({
    TRUSTED_DOCUMENTS: fileURLToPath(
      new URL('../../schema/client/src/documents/persisted-documents.json', import.meta.url),
    ),
    TRUSTED_DOCUMENTS_ONLY: 'on',
  });

  it('gets answers only if it sends hashes (Contract 4.7.1)', async () => {
    const { client, save, traffic } = await open(gateway, { trustedDocuments: true });
    const variables = { publicId: input.jobPublicId };
    expect((await client.query({ query: JobDocument, variables })).data?.job?.version).toBe(1);
    expect((await save('55 000 €')).data?.updateJob?.job.version).toBe(2);
    expect(traffic.bodies.map(({ query }) => query)).toEqual([undefined, undefined]);

    const other = await open(gateway);
    expect(await refusalOf(other.client.query({ query: JobDocument, variables }))).toMatchObject({
      error: 'body-format-error',
    });
  });
});

const error = (code: string, status: number) => ({
  message: 'Told.',
  extensions: { error: code, code: 'ANY', status, requestId: 'r-1' },
});

describe('readRefusal', () => {
  it('reads the seconds until a retry from the header, or else from the quota in the body (Contract 8.1.2)', () => {
    const busy = { errors: [error('service-unavailable', 503)] };
    expect(readRefusal(busy, new Headers({ 'retry-after': '7' }))?.retryAfterSeconds).toBe(7);
    expect(readRefusal(busy)?.retryAfterSeconds).toBeNull();
    const extensions = { rateLimit: { limit: 2, remaining: 0, resetSeconds: 3 } };
    const limited = { errors: [error('rate-limit-exceeded', 429)], extensions };
    expect(readRefusal(limited)?.retryAfterSeconds).toBe(3);
    expect(readRefusal({ ...busy, extensions })?.retryAfterSeconds).toBeNull();
  });

  it.each([
    ['Fri, 31 Dec 1999 23:59:30 GMT', 30],
    ['Friday, 31-Dec-99 23:59:30 GMT', 30],
    ['Fri Dec 31 23:59:30 1999', 30],
    ['Fri, 31 Dec 1999 23:58:59 GMT', 0],
    ['soon', null],
    ['7.5', null],
  ])('reads a date in Retry-After, which a proxy may send: %s', (told, seconds) => {
    jest.useFakeTimers({ now: Date.UTC(1999, 11, 31, 23, 59, 0, 1) });
    try {
      const busy = { errors: [error('service-unavailable', 503)] };
      expect(readRefusal(busy, new Headers({ 'retry-after': told }))?.retryAfterSeconds).toBe(seconds);
    } finally {
      jest.useRealTimers();
    }
  });

  it('reads the headers of a reply or an error, from any fetch implementation (Contract 8.1.2)', () => {
    const headers = { get: (name: string) => (name === 'retry-after' ? '7' : null) };
    const body = { errors: [error('service-unavailable', 503)] };
    const failure = { bodyText: JSON.stringify(body), response: { headers } };
    for (const refusal of [readRefusal(body, headers), readRefusal(failure)])
      expect([refusal?.error, refusal?.retryAfterSeconds]).toEqual(['service-unavailable', 7]);
  });

  it.each([
    null,
    undefined,
    'text',
    {},
    { data: {} },
    { errors: [] },
    { errors: [{ message: 'a proxy' }] },
    new TypeError('x'),
  ])('returns no refusal for %p', (failure) => expect(readRefusal(failure)).toBeNull());

  it('keeps every error of a document with several fields', () => {
    const errors = [error('job-not-found', 404), error('company-not-found', 404)];
    const refusal = readRefusal({ errors });
    expect(refusal?.error).toBe('job-not-found');
    expect(refusal?.errors.map((each) => each.error)).toEqual(['job-not-found', 'company-not-found']);
  });
});
