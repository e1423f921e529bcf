import { ApolloClient, ApolloLink, gql, HttpLink, InMemoryCache } from '@apollo/client';
import { setTimeout as sleep } from 'node:timers/promises';
import { gatewayLink, type GatewayLinkOptions } from '../../schema/client/src/apollo.js';
import { readRefusal, type Refusal } from '../../schema/client/src/index.js';
import { until } from './until.js';

/** The error of Node's fetch when a connection breaks. */
export const broken = (): TypeError =>
  new TypeError('fetch failed', {
    cause: Object.assign(new Error('other side closed'), { code: 'UND_ERR_SOCKET' }),
  });

/** The refusal that a call fails with; null if it succeeds. */
export const refusalOf = (call: Promise<unknown>): Promise<Refusal | null> =>
  call.then(
    () => null,
    (failure: unknown) => readRefusal(failure),
  );

export const answered = (): Response => Response.json({ data: { done: true } });

export const refused = (resetSeconds: number): Response =>
  Response.json(
    {
      errors: [
        {
          message: 'Too many calls.',
          extensions: { error: 'rate-limit-exceeded', code: 'RATE_LIMITED', status: 429, requestId: 'r-1' },
        },
      ],
      extensions: { rateLimit: { limit: 50, remaining: 0, resetSeconds } },
    },
    {
      status: 429,
      headers: { 'content-type': 'application/graphql-response+json', 'retry-after': String(resetSeconds) },
    },
  );

const query = gql('query Done($name: String) { done(name: $name) }');

/** A client whose requests wait until the test answers them, by the `name` given to `ask`. */
export function openToTest(options?: GatewayLinkOptions) {
  const sent: string[] = [];
  const aborted: string[] = [];
  const answers = new Map<string, (reply: Response | Error) => void>();
  const ownFetch = (_url: unknown, init?: RequestInit): Promise<Response> => {
    const { variables } = JSON.parse(init?.body as string) as { variables: { name: string } };
    sent.push(variables.name);
    return new Promise((resolve, reject) => {
      init?.signal?.addEventListener('abort', () => {
        aborted.push(variables.name);
        reject(init.signal?.reason as Error);
      });
      answers.set(variables.name, (reply) => (reply instanceof Error ? reject(reply) : resolve(reply)));
    });
  };
  const client = new ApolloClient({
    link: ApolloLink.from([
      gatewayLink(options),
      new HttpLink({ uri: 'http://gateway/graphql', fetch: ownFetch }),
    ]),
    cache: new InMemoryCache(),
  });
  const ask = (name: string, signal?: AbortSignal): Promise<unknown> =>
    client.query({
      query,
      variables: { name },
      fetchPolicy: 'no-cache',
      context: { fetchOptions: { signal } },
    });
  const watch = (name: string) =>
    client.watchQuery({ query, variables: { name }, fetchPolicy: 'no-cache' }).subscribe(() => undefined);
  /** Answers the request `name`, and gives the client time to send requests that waited for the reply. */
  const answer = async (name: string, reply: Response | Error): Promise<void> => {
    await until(() => answers.has(name));
    answers.get(name)?.(reply);
    answers.delete(name);
    await sleep(20);
  };
  return { ask, watch, answer, sent, aborted };
}
