import { type ApolloClient } from '@apollo/client';
import { isMutation, type Send } from './records.js';

/** Sends operations with an Apollo client, for the hooks of `/react`. Skips the cache: an edit begins with what is stored. */
export const sendWith =
  (client: ApolloClient): Send =>
  async (document, variables) => {
    // A dry run must not show in the cache what was not stored.
    const dry = variables.dryRun === true && ({ fetchPolicy: 'no-cache' } as const);
    // With another policy, a refusal would come as data without errors.
    const errorPolicy = 'none';
    const { data } = isMutation(document)
      ? await client.mutate({ mutation: document, variables, errorPolicy, ...dry })
      : await client.query({ query: document, variables, errorPolicy, fetchPolicy: 'network-only' });
    if (!data) throw new Error('The gateway sent no data.');
    return data;
  };
