import { type TypedDocumentNode } from '@graphql-typed-document-node/core';
import { print } from 'graphql';
import { type GatewayError, readGatewayError } from '../client/src/index.js';

export interface Connection {
  /** `http://127.0.0.1:4000/graphql` */
  url: string;
  token: string;
  /** Language of names and messages; default `en`. */
  language?: 'en' | 'fr';
}

export interface Outcome<Data> {
  data: Data | null;
  errors: GatewayError[];
}

/** Sends a typed document with `fetch`, without a GraphQL client. @throws Error if the reply does not come from a gateway */
export async function callGateway<Data, Variables>(
  { url, token, language = 'en' }: Connection,
  document: TypedDocumentNode<Data, Variables>,
  variables: Variables,
): Promise<Outcome<Data>> {
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${token}`,
      'Content-Type': 'application/json',
      'Accept-Language': language,
    },
    body: JSON.stringify({ query: print(document), variables }),
  });
  const { data = null, errors = [] } = (await response.json()) as Reply<Data>;
  const read = errors.map(readGatewayError).filter((error) => error !== null);
  if (read.length < errors.length || (data === null && read.length === 0))
    throw new Error(`${url} answers ${response.status} but not with a reply of a gateway`);
  return { data, errors: read };
}

interface Reply<Data> {
  data?: Data | null;
  errors?: unknown[];
}
