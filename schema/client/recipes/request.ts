import { type TypedDocumentNode } from '@graphql-typed-document-node/core';
import { GraphQLClient } from 'graphql-request';
import { readRefusal, type Send } from 'recruitment-gateway-client';

/** @param getToken returns the token; a new one if `isExpired` */
export function connect(uri: string, getToken: (isExpired: boolean) => Promise<string>): Send {
  const client = new GraphQLClient(uri);
  return async function request<Data, Variables extends object>(
    document: TypedDocumentNode<Data, Variables>,
    variables: Variables,
  ): Promise<Data> {
    const send = async (isExpired: boolean): Promise<Data> => {
      const headers = { authorization: `Bearer ${await getToken(isExpired)}` };
      return client.request<Data>(document, variables, headers);
    };
    try {
      return await send(false);
    } catch (failure) {
      if (readRefusal(failure)?.reason !== 'token_expired') throw failure;
      return send(true);
    }
  };
}
