import { type TypedDocumentNode } from '@graphql-typed-document-node/core';
import { print } from 'graphql';
import { readRefusal } from 'recruitment-gateway-client';

const query = new URLSearchParams(location.search);
export const gateway = query.get('gateway') ?? location.origin;
export const media = query.get('media') ?? 'demo-media';
export const language = (query.get('language') ?? navigator.language).startsWith('fr') ? 'fr' : 'en';

let signedIn: Promise<string> | null = null;
export const token = () => (signedIn ??= fetch('/token').then((reply) => reply.text()));

/** Waits once for a quota, and signs in again once if the token has expired. */
export async function call<Data, Variables>(
  document: TypedDocumentNode<Data, Variables> | string,
  variables: Variables,
  attempt = 1,
): Promise<Data> {
  const reply = await fetch(`${gateway}/graphql`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${await token()}`,
      'accept-language': language,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ query: typeof document === 'string' ? document : print(document), variables }),
  });
  const body = (await reply.json()) as { data?: Data };
  const refusal = readRefusal(body, reply.headers);
  if (!refusal && body.data) return body.data;
  if (!refusal) throw new Error(`HTTP ${reply.status}`);
  const isExpired = refusal.reason === 'token_expired' || refusal.reason === 'token_invalid';
  const seconds = refusal.error === 'rate-limit-exceeded' ? refusal.retryAfterSeconds : null;
  // With the body, `readRefusal` reads this failure, too: `edit.save` shows its faults.
  if (attempt === 3 || (!isExpired && seconds === null))
    throw Object.assign(new Error(refusal.message), body, { response: reply });
  if (isExpired) signedIn = null;
  await new Promise((resolve) => setTimeout(resolve, (seconds ?? 0) * 1_000));
  return call(document, variables, attempt + 1);
}
