import { describe, expect, it } from '@jest/globals';
import { ApolloClient, HttpLink, InMemoryCache } from '@apollo/client';
import { BatchHttpLink } from '@apollo/client/link/batch-http';
import { createPersistedQueryLink } from '@apollo/client/link/persisted-queries';
import { print } from 'graphql';
import { createHash } from 'node:crypto';
import { readRefusal, UpdateJobDocument, ViewerDocument } from '../../schema/client/src/index.js';
import { refusalOf } from '../support/client-replies.js';
import { type Call, describeRefusals, ownCall } from '../support/refusals.js';

const withApollo =
  (Link: typeof HttpLink | typeof BatchHttpLink) =>
  ({ uri, headers, variables }: Call) =>
    refusalOf(
      new ApolloClient({ link: new Link({ uri, headers }), cache: new InMemoryCache() }).mutate({
        mutation: UpdateJobDocument,
        variables,
      }),
    );

const own = ownCall();
const { gateway, call } = own;

describeRefusals(
  {
    'Apollo Client 4': withApollo(HttpLink),
    fetch: async ({ uri, headers, variables }) => {
      const response = await fetch(uri, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify({ query: print(UpdateJobDocument), variables }),
      });
      return readRefusal(await response.json(), response.headers);
    },
  },
  own,
);

describe('Apollo Client 4', () => {
  it('is refused a batch of requests, and nothing runs (Contract 4.1.1)', async () => {
    const refusal = await withApollo(BatchHttpLink)(call());
    expect(refusal).toMatchObject({ error: 'body-format-error', status: 400 });
    expect(await gateway.models.jobs.countDocuments({ version: { $gt: 1 } })).toBe(0);
  });

  it('sends the text of a persisted query where the gateway has no trusted documents (Contract 4.7.3)', async () => {
    const { uri, headers } = call();
    const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
    const link = createPersistedQueryLink({ sha256 }).concat(new HttpLink({ uri, headers }));
    const client = new ApolloClient({ link, cache: new InMemoryCache() });
    const { data } = await client.query({ query: ViewerDocument });
    expect(data).toMatchObject({ viewer: { roles: ['media_admin'] } });
  });
});
