import { beforeAll, describe, expect, it } from '@jest/globals';
import { join } from 'node:path';
import { plain } from '../company/logo/test-images.js';
import { ownGateway } from '../support/own-gateway.js';
import { graphql, type GraphQLBody } from '../support/requests.js';
import { getBody, postBody, sha256, writeTrusted } from '../support/trusted.js';
import { ownFolder } from '../support/own-folder.js';
import { ofJob as input, updateJob as overRest } from '../support/updates.js';

const updateJob = `mutation UpdateJob($input: UpdateJobInput!) {
  updateJob(input: $input) { job { publicId salary version } warnings { code } }
}`;
const updateLogo = `mutation UpdateLogo($input: UpdateCompanyInput!) {
  updateCompany(input: $input) { company { content { visual { logo } } } }
}`;
const viewer = 'query Viewer { viewer { subject } }';
const job = 'query Job($publicId: String!) { job(publicId: $publicId) { salary name } }';
const two = 'query One { references(kind: sector) { name } } query Other { viewer { subject } }';
const vast = `query Vast { viewer { ${Array.from({ length: 60 }, (_, at) => `${'a'.repeat(130)}${at}: subject`).join(' ')} } }`;
const long = `query Long { viewer { ${Array.from({ length: 400 }, (_, at) => `a${at}: subject`).join(' ')} } }`;
const deep = `query Deep { jobs(mediaPublicId: "demo-media", first: 1) { edges { node { history(first: 1) { edges { node {
  changes { field before after } } } } } } } }`;
const page = `query Page($first: Int! = 2, $after: String) {
  jobs(mediaPublicId: "demo-media", first: $first, after: $after) { edges { cursor node { publicId name state } } } }`;
const documents = [updateJob, updateLogo, viewer, job, two, vast, long, deep, page];

/** The space makes another document. */
const untrusted = (text: string) => ` ${text}`;
const errorOf = ({ body }: { body: GraphQLBody }) => body.errors?.[0]?.extensions.error;
const apollos = (hash: unknown, version = 1) => ({
  extensions: { persistedQuery: { version, sha256Hash: hash } },
});

const file = join(ownFolder(), 'documents.json');
await writeTrusted(file, documents);
const gateway = ownGateway({
  TRUSTED_DOCUMENTS: file,
  GRAPHQL_MAX_DEPTH: '4',
  GRAPHQL_MAX_COMPLEXITY: '1000',
  UPDATE_JOB_QUOTA: '1000001/1s',
});
let token: string;
let bearer: { authorization: string };
beforeAll(async () => {
  token = await gateway.token();
  bearer = { authorization: `Bearer ${token}` };
});

const named = (text: string, variables: object = {}, headers: Record<string, string> = bearer) =>
  postBody(gateway.url, { documentId: sha256(text), variables }, headers);

describe('a trusted document', () => {
  it.each<[string, (hash: string) => object]>([
    ['documentId', (hash) => ({ documentId: hash })],
    ['documentId with the prefix sha256:', (hash) => ({ documentId: `sha256:${hash}` })],
    ['extensions.persistedQuery', (hash) => apollos(hash)],
    [
      'both documentId and extensions.persistedQuery',
      (hash) => ({ documentId: hash, ...apollos(`sha256:${hash}`) }),
    ],
    ['documentId and the request also has its text', (hash) => ({ documentId: hash, query: job })],
  ])(
    'runs by POST and GET if its hash is in %s, with the same answer as its text (Contract 4.7.1)',
    async (_, by) => {
      const variables = { publicId: 'acme-backend-engineer' };
      const naming = by(sha256(job)) as Record<string, unknown>;
      const search = Object.fromEntries(
        Object.entries({ ...naming, variables }).map(([name, value]) => [
          name,
          typeof value === 'string' ? value : JSON.stringify(value),
        ]),
      );
      const whole = await graphql(gateway, job, variables, { token });
      expect(whole.body.data?.job).toMatchObject({ name: expect.any(String) });
      for (const { status, headers, body } of [
        await postBody(gateway.url, { ...naming, variables }, bearer),
        await getBody(gateway.url, search, { ...bearer, 'apollo-require-preflight': 'true' }),
      ]) {
        expect([status, body.data]).toEqual([200, whole.body.data]);
        expect(Object.keys(body)).toEqual(Object.keys(whole.body));
        expect(headers.get('content-type')).toBe(whole.headers.get('content-type'));
        expect(headers.get('ratelimit-limit')).toBe('1000000');
        expect(headers.get('vary')).toBe('Accept, Accept-Language');
      }
    },
  );

  it('with a mutation runs by POST; by GET it gets 405 with Allow (Contract 4.7.1, 7.3.2)', async () => {
    const by = { documentId: sha256(updateJob) };
    const refused = await getBody(
      gateway.url,
      { ...by, variables: JSON.stringify({ input: { ...input, salary: 'by GET' } }) },
      { ...bearer, 'apollo-require-preflight': 'true' },
    );
    expect([refused.status, errorOf(refused), refused.headers.get('allow')]).toEqual([
      405,
      'method-not-allowed',
      'POST',
    ]);
    const { status, body } = await named(updateJob, { input: { ...input, salary: 'by hash' } });
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ updateJob: { job: { salary: 'by hash' }, warnings: [] } });
    const stored = await gateway.models.jobs.findOne({ publicId: input.jobPublicId }).lean();
    expect(stored).toMatchObject({ salary: 'by hash', version: 2 });
  });

  it('accepts a file in a multipart request with the header against cross-site requests (Contract 4.7.1, 5.3.5)', async () => {
    const png = await plain(8, 8).png().toBuffer();
    const send = async (headers: Record<string, string>) => {
      const multipart = new FormData();
      const variables = { input: { mediaPublicId: 'demo-media', companyPublicId: 'acme', logo: null } };
      multipart.append('operations', JSON.stringify({ documentId: sha256(updateLogo), variables }));
      multipart.append('map', JSON.stringify({ 0: ['variables.input.logo'] }));
      multipart.append('0', new Blob([new Uint8Array(png)], { type: 'image/png' }), 'logo.png');
      const reply = await fetch(`${gateway.url}/graphql`, { method: 'POST', headers, body: multipart });
      return { status: reply.status, body: (await reply.json()) as GraphQLBody };
    };
    const refused = await send(bearer);
    expect([refused.status, errorOf(refused)]).toEqual([400, 'body-format-error']);
    const { status, body } = await send({ ...bearer, 'apollo-require-preflight': 'true' });
    expect([status, body.errors]).toEqual([200, undefined]);
    expect(JSON.stringify(body.data)).toMatch(/\/logos\//);
  });

  it('by GET needs a header that a cross-site page cannot send, and its reply is never cached (Contract 4.4.7, 8.4.4)', async () => {
    const search = { documentId: sha256(two), operationName: 'One' };
    const unasked = await getBody(gateway.url, search, {});
    expect([unasked.status, errorOf(unasked)]).toEqual([400, 'body-format-error']);
    const allowed = await getBody(gateway.url, search, { 'apollo-require-preflight': 'true', ...bearer });
    expect([allowed.status, allowed.body.errors]).toEqual([200, undefined]);
    expect(allowed.headers.get('cache-control')).toBe('private, no-store');
    const stranger = await getBody(gateway.url, { ...search, operationName: 'Other' });
    expect([stranger.status, stranger.headers.get('cache-control')]).toEqual([401, 'private, no-store']);
  });

  it.each([
    ['aliases and the length of names', vast],
    ['tokens', long],
    ['depth', deep],
  ])('may exceed the limits on %s (Contract 4.7.2)', async (_, text) => {
    const byHash = await named(text);
    expect([byHash.status, byHash.body.errors]).toEqual([200, undefined]);
    const byText = await graphql(gateway, untrusted(text), {}, { token });
    expect([byText.status, byText.body.data]).toEqual([400, undefined]);
  });

  it('has the usual complexity limit, and its complexity depends on its variables (Contract 4.7.2, 8.2.1)', async () => {
    for (const [variables, status] of [
      [{ first: 47 }, 200],
      [{ first: 48 }, 400],
      [{}, 200],
    ] as const) {
      const told = await Promise.all([
        named(page, variables),
        graphql(gateway, page, variables, { token }),
        graphql(gateway, untrusted(page), variables, { token }),
      ]);
      const refusal = 'The document asks for too much: its complexity is 1004, and 1000 is allowed.';
      for (const reply of told) {
        expect(reply.status).toBe(status);
        if (status === 400) expect(reply.body.errors?.map(({ message }) => message)).toEqual([refusal]);
      }
    }
  });

  const preflighted = { 'apollo-require-preflight': 'true' };
  const post = (parts: object): RequestInit => ({
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(parts),
  });
  it.each<[string, number, (by: Record<string, string>) => [search: object, request: RequestInit]]>([
    ['variables that are not an object', 400, (by) => [{}, post({ ...by, variables: [] })]],
    ['extensions that are a text', 400, (by) => [{}, post({ ...by, extensions: 'x' })]],
    [
      'null for variables and extensions',
      200,
      (by) => [{}, post({ ...by, variables: null, extensions: null })],
    ],
    ['null for variables by GET', 400, (by) => [{ ...by, variables: 'null' }, { headers: preflighted }]],
    [
      'the content type text/plain by GET',
      415,
      (by) => [by, { headers: { ...preflighted, 'content-type': 'text/plain' } }],
    ],
    ['an empty operation name by GET', 200, (by) => [{ ...by, operationName: '' }, { headers: preflighted }]],
  ])('with %s gets %p, as its text does (Contract 4.1.1, 5.1.2)', async (_, status, sent) => {
    for (const by of [{ documentId: sha256(viewer) }, { query: viewer }]) {
      const [search, request] = sent(by);
      const address = `${gateway.url}/graphql?${new URLSearchParams({ ...search }).toString()}`;
      const headers = { ...(request.headers as object), ...bearer };
      const reply = await fetch(address, { ...request, headers });
      const body = (await reply.json()) as GraphQLBody;
      const code = { 200: undefined, 400: 'body-format-error', 415: 'content-type-not-supported' }[status];
      expect([reply.status, body.errors?.[0]?.extensions.error]).toEqual([status, code]);
    }
  });

  it('that is refused before it runs spends a unit of the quota of its operation, or of the read quota if the operation is unknown (Contract 8.2.4)', async () => {
    const change = { documentId: sha256(updateJob) };
    for (const [refused, status, limit] of [
      [await getBody(gateway.url, change, { ...preflighted, ...bearer }), 405, '1000001'],
      [await postBody(gateway.url, { ...change, variables: { input: 1 } }, bearer), 400, '1000001'],
      [await getBody(gateway.url, change, bearer), 400, '1000000'],
      [await postBody(gateway.url, { ...change, variables: [] }, bearer), 400, '1000000'],
    ] as const) {
      expect([refused.status, refused.headers.get('ratelimit-limit')]).toEqual([status, limit]);
      expect(refused.body.extensions?.rateLimit?.limit).toBe(Number(limit));
    }
  });
});

describe('a document hash', () => {
  const other = 'query { viewer { roles } }';
  it.each<[string, object]>([
    ['that no document has', { documentId: '0'.repeat(64) }],
    ['of a document that is not trusted', { documentId: sha256(other) }],
    ['sent with the text of another document', { documentId: sha256(viewer), query: other }],
    ['that is missing from persistedQuery', apollos(undefined)],
    ['in version 2 of persisted queries', apollos(sha256(viewer), 2)],
  ])(
    '%s gets 400 body-format-error, and the client is not asked for the text (Contract 4.7.3)',
    async (_, body) => {
      const { status, body: told } = await postBody(gateway.url, body, bearer);
      expect([status, told.data]).toEqual([400, undefined]);
      expect(told.errors).toEqual([
        {
          message: expect.any(String),
          extensions: {
            code: 'BAD_USER_INPUT',
            error: 'body-format-error',
            status: 400,
            requestId: expect.any(String),
          },
        },
      ]);
      expect(JSON.stringify(told)).not.toMatch(/persisted/i);
    },
  );

  it('cannot be added by sending its document as text (Contract 4.7.3)', async () => {
    expect((await graphql(gateway, other, {}, { token })).status).toBe(200);
    const { status, body } = await named(other);
    expect(status).toBe(400);
    expect(body.errors?.[0]?.message).toMatch(
      /no trusted document has this hash, and no request can add one\.$/,
    );
  });
});

describe('without trusted documents, a document hash', () => {
  const plainGateway = ownGateway({ AUTH_FAILURE_QUOTA: '2/1h', READ_QUOTA: '5/1h' });
  const unknown = apollos(sha256(viewer));

  it('costs a read unit with a valid token, and is never a failure (Contract 4.7.3)', async () => {
    const own = { authorization: `Bearer ${await plainGateway.token()}` };
    for (const left of ['4', '3', '2', '1']) {
      const reply = await postBody(plainGateway.url, unknown, own);
      expect([reply.status, reply.body.errors?.[0]?.message]).toEqual([400, 'PersistedQueryNotSupported']);
      expect(reply.headers.get('ratelimit-remaining')).toBe(left);
    }
    expect((await postBody(plainGateway.url, { query: viewer }, own)).status).toBe(200);
    expect((await postBody(plainGateway.url, unknown, own)).status).toBe(429);
  });

  it('is a failure of its address without a token (Contract 4.7.3, 8.1.3)', async () => {
    for (const status of [400, 400, 429])
      expect((await postBody(plainGateway.url, unknown)).status).toBe(status);
  });
});

describe('with trusted documents only', () => {
  const strict = ownGateway({
    TRUSTED_DOCUMENTS: file,
    TRUSTED_DOCUMENTS_ONLY: 'on',
    AUTH_FAILURE_QUOTA: '6/1h',
    UPDATE_JOB_QUOTA: '2/1h',
    INTROSPECTION: 'on',
  });
  let own: { authorization: string };
  beforeAll(async () => void (own = { authorization: `Bearer ${await strict.token()}` }));

  it('the explorer is off, because it sends its own documents (Contract 8.3.1)', async () => {
    expect((await fetch(`${strict.url}/explorer`)).status).toBe(404);
    const page = await fetch(`${strict.url}/graphql`, { headers: { accept: 'text/html' } });
    expect(page.status).toBe(400);
    const home = await (await fetch(strict.url)).text();
    expect(home).not.toMatch(/explorer|Sandbox/);
    expect((await fetch(`${strict.url}/docs`)).status).toBe(200);
  });

  it('any other document gets 400 body-format-error; with a valid token it costs a read unit, and never counts as a failure (Contract 4.7.1, 4.7.3)', async () => {
    const others: object[] = [
      { query: '{ viewer { subject } }' },
      { query: viewer },
      { query: '{ __schema { queryType { name } } }' },
      { query: '{' },
      { documentId: '0'.repeat(64) },
      [{ query: viewer }],
    ];
    for (const body of [...others, ...others]) {
      const reply = await postBody(strict.url, body, own);
      expect([reply.status, errorOf(reply)]).toEqual([400, 'body-format-error']);
      expect(reply.headers.get('ratelimit-cost')).toBe('1');
    }
    for (const body of others) await postBody(strict.url, body);
    const past = await postBody(strict.url, { query: viewer });
    expect([past.status, errorOf(past)]).toEqual([429, 'rate-limit-exceeded']);
    expect(Number(past.headers.get('retry-after'))).toBeGreaterThan(0);
  });

  it('trusted documents and REST work, within the quotas (Contract 4.7.1, 4.7.2, 8.1.1)', async () => {
    const call = () => postBody(strict.url, { documentId: sha256(updateJob), variables: { input } }, own);
    expect((await call()).status).toBe(200);
    expect((await overRest(strict, {}, { headers: own })).status).toBe(200);
    const spent = await call();
    expect([spent.status, errorOf(spent)]).toEqual([429, 'rate-limit-exceeded']);
    expect(spent.headers.get('ratelimit-remaining')).toBe('0');
  });
});
