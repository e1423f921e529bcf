import { beforeEach, describe, expect, it } from '@jest/globals';
import { ApolloClient, HttpLink, InMemoryCache } from '@apollo/client';
import { BatchHttpLink } from '@apollo/client/link/batch-http';
import { createPersistedQueryLink } from '@apollo/client/link/persisted-queries';
import { Client, fetchExchange } from '@urql/core';
import * as apollo3 from 'apollo-client-3/core/index.js';
import { BatchHttpLink as BatchHttpLink3 } from 'apollo-client-3/link/batch-http/index.js';
import { createPersistedQueryLink as createPersistedQueryLink3 } from 'apollo-client-3/link/persisted-queries/index.js';
import { print } from 'graphql';
import { GraphQLClient } from 'graphql-request';
import { createHash } from 'node:crypto';
import {
  readRefusal,
  type Refusal,
  UpdateCompanyDocument,
  UpdateJobDocument,
  ViewerDocument,
} from '../../schema/client/src/index.js';
import { plain } from '../company/logo/test-images.js';
import { refusalOf } from '../support/client-replies.js';
import { ownGateway } from '../support/own-gateway.js';

interface Call {
  uri: string;
  headers: Record<string, string>;
  variables: {
    input: { jobPublicId: string; salary?: string };
    expectedVersion?: number;
  };
}

type Caller = (call: Call) => Promise<unknown>;

const withApollo =
  (Link: typeof HttpLink | typeof BatchHttpLink): Caller =>
  ({ uri, headers, variables }) =>
    new ApolloClient({ link: new Link({ uri, headers }), cache: new InMemoryCache() }).mutate({
      mutation: UpdateJobDocument,
      variables,
    });

const withApollo3 =
  (Link: typeof apollo3.HttpLink | typeof BatchHttpLink3): Caller =>
  ({ uri, headers, variables }) =>
    new apollo3.ApolloClient({
      link: new Link({ uri, headers }),
      cache: new apollo3.InMemoryCache(),
    }).mutate({ mutation: UpdateJobDocument, variables });

const clients: Record<string, (call: Call) => Promise<Refusal | null>> = {
  'Apollo Client 4': failing(withApollo(HttpLink)),
  'Apollo Client 3': failing(withApollo3(apollo3.HttpLink)),
  urql: failing(async (call) => {
    const { error } = await urql(call).mutation(UpdateJobDocument, call.variables).toPromise();
    if (error) throw error;
  }),
  'graphql-request': failing(({ uri, headers, variables }) =>
    new GraphQLClient(uri, { headers }).request(UpdateJobDocument, variables),
  ),
  fetch: async ({ uri, headers, variables }) => {
    const response = await fetch(uri, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ query: print(UpdateJobDocument), variables }),
    });
    return readRefusal(await response.json(), response.headers);
  },
};

function failing(call: Caller): (call: Call) => Promise<Refusal | null> {
  return (given) => refusalOf(call(given));
}

const urql = ({ uri, headers }: Pick<Call, 'uri' | 'headers'>): Client =>
  new Client({ url: uri, exchanges: [fetchExchange], fetchOptions: { headers }, preferGetMethod: false });

const gateway = ownGateway({ UPDATE_JOB_QUOTA: '2/60s' });
let call: Call;
let tests = 0;
beforeEach(async () => {
  await gateway.reset();
  // The previous test may have used up the quota of its caller.
  const token = await gateway.token({ sub: `caller-${(tests += 1)}` });
  call = {
    uri: `${gateway.url}/graphql`,
    headers: { authorization: `Bearer ${token}` },
    variables: { input: { jobPublicId: 'acme-backend-engineer', salary: '55 000 €' } },
  };
});

describe.each(Object.entries(clients))('readRefusal › the failure of %s', (_name, refusalOf) => {
  it('has each faulty field (Contract 7.4.1)', async () => {
    const variables = { input: { ...call.variables.input, salary: 'x'.repeat(31) } };
    const refusal = await refusalOf({ ...call, variables });
    expect(refusal).toMatchObject({
      error: 'validation-failed',
      code: 'BAD_USER_INPUT',
      status: 422,
      fields: [
        {
          path: ['input', 'salary'],
          code: 'salary-too-long',
          reason: 'too_long',
          message: 'Enter at most 30 characters.',
        },
      ],
      retryAfterSeconds: null,
    });
    expect(refusal?.requestId).not.toBe('');
  });

  it('has the faulty fields of all errors, and a message for people (Contract 7.4.3)', async () => {
    const input = { ...call.variables.input, salaryRange: { minimum: '1' } };
    const refusal = await refusalOf({ ...call, variables: { input } });
    expect(refusal?.fields.map(({ path }) => path)).toEqual([
      ['input', 'salaryRange', 'currency'],
      ['input', 'salaryRange', 'period'],
    ]);
    expect(refusal?.message).toBe('This field is required.');
  });

  it('has the reason and the missing scope of a reply with status 200 (Contract 7.3.3)', async () => {
    const token = await gateway.token({ scope: 'r_jobs' });
    expect(await refusalOf({ ...call, headers: { authorization: `Bearer ${token}` } })).toMatchObject({
      error: 'unauthorized-limitation',
      code: 'FORBIDDEN',
      reason: 'scope_missing',
      scope: 'r_w_jobs',
    });
  });

  it('has the current version, and what changed since (Contract 6.1.2)', async () => {
    await gateway.models.jobs.updateOne({ publicId: 'acme-backend-engineer' }, { $set: { version: 3 } });
    const variables = { ...call.variables, expectedVersion: 2 };
    expect(await refusalOf({ ...call, variables })).toMatchObject({
      error: 'version-conflict',
      currentVersion: 3,
      changedFields: [],
      fields: [],
    });
  });

  it('says that another token is needed, and why (Contract 7.3.3)', async () => {
    const headers = { authorization: 'Bearer ended' };
    expect(await refusalOf({ ...call, headers })).toMatchObject({
      error: 'unauthorized-limitation',
      code: 'UNAUTHENTICATED',
      reason: 'token_invalid',
      message: 'Unauthorized: the token is not valid.',
      status: 401,
    });
  });

  it('has the seconds after which to retry (Contract 8.1.2)', async () => {
    await Promise.all([refusalOf(call), refusalOf(call)]);
    const refusal = await refusalOf(call);
    expect(refusal).toMatchObject({ error: 'rate-limit-exceeded', status: 429 });
    expect(refusal?.retryAfterSeconds).toBeGreaterThan(0);
  });
});

describe('a batch of requests', () => {
  it.each([
    ['Apollo Client 4', failing(withApollo(BatchHttpLink))],
    ['Apollo Client 3', failing(withApollo3(BatchHttpLink3))],
  ])('sent by %s is refused, and nothing runs (Contract 4.1.1)', async (_name, refusalOf) => {
    expect(await refusalOf(call)).toMatchObject({ error: 'body-format-error', status: 400 });
    expect(await gateway.models.jobs.countDocuments({ version: { $gt: 1 } })).toBe(0);
  });
});

describe('a link for persisted queries', () => {
  const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
  const ask: Record<string, (call: Call) => Promise<{ data?: unknown }>> = {
    'Apollo Client 4': ({ uri, headers }) =>
      new ApolloClient({
        link: createPersistedQueryLink({ sha256 }).concat(new HttpLink({ uri, headers })),
        cache: new InMemoryCache(),
      }).query({ query: ViewerDocument }),
    'Apollo Client 3': ({ uri, headers }) =>
      new apollo3.ApolloClient({
        link: createPersistedQueryLink3({ sha256 }).concat(new apollo3.HttpLink({ uri, headers })),
        cache: new apollo3.InMemoryCache(),
      }).query({ query: ViewerDocument }),
  };
  it.each(Object.keys(ask))(
    'of %s sends the text where the gateway has no trusted documents (Contract 4.7.3)',
    async (name) => {
      expect((await ask[name]?.(call))?.data).toMatchObject({ viewer: { roles: ['media_admin'] } });
    },
  );
});

describe('urql', () => {
  it('sends a logo with the preflight header (Contract 5.3.5)', async () => {
    const logo = new Blob([new Uint8Array(await plain(8, 8).png().toBuffer())]);
    const headers = { ...call.headers, 'apollo-require-preflight': 'true' };
    const { data } = await urql({ ...call, headers })
      .mutation(UpdateCompanyDocument, {
        input: { mediaPublicId: 'demo-media', companyPublicId: 'acme', logo },
      })
      .toPromise();
    expect(data?.updateCompany?.company.content.visual.logo).toMatch(/\/logos\/[0-9a-f]{64}$/);
  });
});
