import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { type GraphQLBody, type Reply } from './requests.js';

export const sha256 = (content: string | Uint8Array): string =>
  createHash('sha256').update(content).digest('hex');

/** Writes trusted documents as GraphQL Code Generator's client preset does. */
export const writeTrusted = (path: string, documents: readonly string[]): Promise<void> =>
  writeFile(
    path,
    JSON.stringify(Object.fromEntries(documents.map((text) => [`sha256:${sha256(text)}`, text]))),
  );

export async function postBody(
  url: string,
  body: object,
  headers: Record<string, string> = {},
): Promise<Reply<GraphQLBody>> {
  return read(
    await fetch(`${url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    }),
  );
}

export async function getBody(
  url: string,
  search: Record<string, string>,
  headers: Record<string, string> = { 'apollo-require-preflight': 'true' },
): Promise<Reply<GraphQLBody>> {
  return read(await fetch(`${url}/graphql?${new URLSearchParams(search).toString()}`, { headers }));
}

const read = async (response: Response): Promise<Reply<GraphQLBody>> => ({
  status: response.status,
  headers: response.headers,
  body: (await response.json()) as GraphQLBody,
});
