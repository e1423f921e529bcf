import { type TypedDocumentNode } from '@graphql-typed-document-node/core';
import { print } from 'graphql';
import { type GatewayError, readGatewayError } from '../client/src/index.js';

/** Where the gateway is, and who calls it. */
export interface Connection {
  /** `http://127.0.0.1:4000/graphql` */
  url: string;
  token: string;
  /** Language of names and messages; English unless it is `fr`. */
  language?: 'en' | 'fr';
}

/** What a call came to: the data of the operation, as far as there are any, and every error. */
export interface Outcome<Data> {
  data: Data | null;
  errors: GatewayError[];
}

/**
 * Calls the gateway with one of the typed documents: the variables must be those of the operation, and so are the data
 * that come back. No library is needed for it.
 * @throws Error when what answers is not a gateway
 */
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
    throw new Error(`${url} answers ${response.status} as no gateway does`);
  return { data, errors: read };
}

interface Reply<Data> {
  data?: Data | null;
  errors?: unknown[];
}
