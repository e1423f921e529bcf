import { Client, fetchExchange } from '@urql/core';
import { ApolloClient, HttpLink, InMemoryCache } from 'apollo-client-3/core/index.js';
import { BatchHttpLink } from 'apollo-client-3/link/batch-http/index.js';
import { createPersistedQueryLink } from 'apollo-client-3/link/persisted-queries/index.js';
import { GraphQLClient } from 'graphql-request';
import { UpdateCompanyDocument, UpdateJobDocument, ViewerDocument } from 'recruitment-gateway-client';

const apollo = (link) => new ApolloClient({ link, cache: new InMemoryCache() });
const urql = ({ uri, headers }) =>
  new Client({ url: uri, exchanges: [fetchExchange], fetchOptions: { headers }, preferGetMethod: false });
const updateWith =
  (Link) =>
  ({ uri, headers, variables }) =>
    apollo(new Link({ uri, headers })).mutate({ mutation: UpdateJobDocument, variables });

/** Each updates a job, or fails. */
export const clients = {
  'Apollo Client 3': updateWith(HttpLink),
  async urql(call) {
    const { error } = await urql(call).mutation(UpdateJobDocument, call.variables).toPromise();
    if (error) throw error;
  },
  'graphql-request': ({ uri, headers, variables }) =>
    new GraphQLClient(uri, { headers }).request(UpdateJobDocument, variables),
};
export const inBatch = updateWith(BatchHttpLink);
export const persisted = ({ uri, headers }, sha256) =>
  apollo(createPersistedQueryLink({ sha256 }).concat(new HttpLink({ uri, headers }))).query({
    query: ViewerDocument,
  });
export const sendLogo = (call, logo) =>
  urql({ ...call, headers: { ...call.headers, 'apollo-require-preflight': 'true' } })
    .mutation(UpdateCompanyDocument, {
      input: { mediaPublicId: 'demo-media', companyPublicId: 'acme', logo },
    })
    .toPromise();
