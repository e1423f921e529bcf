import { ApolloLink } from '@apollo/client';
import { RetryLink } from '@apollo/client/link/retry';
import { type DocumentNode, Kind, OperationTypeNode, type SelectionNode } from 'graphql';
import { catchError, defer, map, Observable, of, race, throwError } from 'rxjs';
import { isBrokenConnection, UnreachedGatewayError } from './broken-connection.js';
import { isRecord } from './is-record.js';
import { newKey } from './new-key.js';
import { readRefusal } from './refusal.js';
import { headersOf } from './reply-headers.js';
import { waitBeforeRetry } from './wait-before-retry.js';

export interface GatewayLinkOptions {
  /**
   * How long an operation may wait and retry, in seconds from its call, 0 or more; default 30. After that, it fails with the last
   * refusal or error. Only the terminating link can limit the wait for a reply.
   */
  patienceSeconds?: number;
  /** Called when a wait begins, for example to show it. May set the state of a React component. */
  onWait?: (wait: Wait) => void;
  /** Sends documents of this package as hashes only. The gateway needs them as `TRUSTED_DOCUMENTS`. */
  trustedDocuments?: boolean;
}

export interface Wait {
  /** The name of the operation, such as `UpdateJob`, if its document has one. */
  operationName: string | undefined;
  /** `quota`: the quota is spent; `busy`: the gateway or its proxy refused (503); `unreachable`: the connection broke. */
  reason: 'quota' | 'busy' | 'unreachable';
  /** Milliseconds. */
  forMs: number;
  /** The request that follows the wait: 2 for the first retry. */
  attempt: number;
}

/**
 * An Apollo link for the gateway. Put it before the terminating link (`HttpLink`, or a link that uploads).
 * - Sets `apollo-require-preflight` on each request, which uploads need.
 * - Retries with Apollo's `RetryLink` if the quota is spent (429), the gateway is busy (503), or the connection breaks. Waits as
 *   {@link waitBeforeRetry} says. Until the gateway has answered once, a broken connection is an `UnreachedGatewayError` at once.
 * - Sends a mutation and its retries with the same idempotency key, yours or a new one, so that the mutation runs once. Every root
 *   field must take the variable `$idempotencyKey`; any other mutation is sent without retries.
 * - Ends a wait as soon as the signal of the operation's `fetchOptions` aborts, or nobody subscribes to the operation any more.
 */
export function gatewayLink({
  patienceSeconds = 30,
  onWait,
  trustedDocuments = false,
}: GatewayLinkOptions = {}): ApolloLink {
  let isReached = false;

  /** Turns a refusal that may pass into an error: `RetryLink` does not look into results. */
  const answers = new ApolloLink((operation, forward) =>
    defer(() => forward(operation)).pipe(
      map((result) => {
        isReached = true;
        const { response }: Context = operation.getContext();
        const refusal = readRefusal(result, headersOf(response));
        if (refusal?.retryAfterSeconds == null) return busyOr(result);
        const { retryAfterSeconds } = refusal;
        return busyOr({ ...result, extensions: { ...result.extensions, retryAfterSeconds } });
      }),
      catchError((failure: unknown) =>
        throwError(() =>
          !isReached && isBrokenConnection(failure) ? new UnreachedGatewayError(failure) : failure,
        ),
      ),
    ),
  );

  return new ApolloLink((operation, forward) => {
    prepare(operation, trustedDocuments);
    const deadlineMs = performance.now() + patienceSeconds * 1_000;
    let forMs: number | null = null;
    const retries = new RetryLink({
      attempts(tries, _operation, failure) {
        forMs = isRepeatable(operation) ? waitBeforeRetry(failure, tries) : null;
        return forMs !== null && performance.now() + forMs <= deadlineMs;
      },
      delay(tries, { operationName }, failure) {
        const wait = { operationName, reason: reasonOf(failure), forMs: forMs ?? 0, attempt: tries + 1 };
        // What it throws is an error of the application, and no reason to lose the call: it is reported as any other that nobody catches.
        of(wait).subscribe((each) => onWait?.(each));
        return forMs ?? 0;
      },
    });
    const done = retries.concat(answers).request(operation, forward);
    const told = done.pipe(
      catchError((failure: unknown) =>
        failure instanceof Busy ? of(failure.result) : throwError(() => failure),
      ),
    );
    const { fetchOptions }: Context = operation.getContext();
    return fetchOptions?.signal ? race(abortOf(fetchOptions.signal), told) : told;
  });
}

/** Fails when the signal aborts. `HttpLink` listens to the signal only while a request runs. */
const abortOf = (signal: AbortSignal): Observable<never> =>
  new Observable((subscriber) => {
    const fail = (): void => subscriber.error(signal.reason);
    if (signal.aborted) return fail();
    signal.addEventListener('abort', fail);
    return () => signal.removeEventListener('abort', fail);
  });

/** A refusal that may pass. `readRefusal` reads its `result`. */
class Busy extends Error {
  constructor(readonly result: ApolloLink.Result) {
    super();
  }
}

function busyOr(result: ApolloLink.Result): ApolloLink.Result {
  if (waitBeforeRetry(result, 1) !== null) throw new Busy(result);
  return result;
}

function reasonOf(failure: unknown): Wait['reason'] {
  if (isBrokenConnection(failure)) return 'unreachable';
  return readRefusal(failure)?.error === 'rate-limit-exceeded' ? 'quota' : 'busy';
}

interface Context {
  headers?: Record<string, string>;
  http?: object;
  fetchOptions?: { signal?: AbortSignal | null };
  response?: unknown;
  [other: string]: unknown;
}

function prepare(operation: ApolloLink.Operation, trustedDocuments: boolean): void {
  const { headers, http }: Context = operation.getContext();
  operation.setContext({ headers: { ...headers, 'apollo-require-preflight': 'true' } });
  if (takesKey(operation)) operation.variables = { ...operation.variables, idempotencyKey: keyOf(operation) };
  const sha256Hash = trustedDocuments && hashOf(operation.query);
  if (!sha256Hash) return;
  operation.extensions = { ...operation.extensions, persistedQuery: { version: 1, sha256Hash } };
  operation.setContext({ http: { ...http, includeQuery: false, includeExtensions: true } });
}

const isRepeatable = (operation: ApolloLink.Operation): boolean =>
  operation.operationType === OperationTypeNode.QUERY || takesKey(operation);

/** Whether every root field takes the key: a field without it would run again on each retry. A fragment counts as such a field. */
const takesKey = (operation: ApolloLink.Operation): boolean =>
  operation.operationType === OperationTypeNode.MUTATION &&
  rootFieldsOf(operation).every(
    (field) =>
      field.kind === Kind.FIELD &&
      field.arguments?.some(
        ({ name, value }) =>
          name.value === keyName && value.kind === Kind.VARIABLE && value.name.value === keyName,
      ),
  );

const keyName = 'idempotencyKey';

const rootFieldsOf = ({ query }: ApolloLink.Operation): readonly SelectionNode[] =>
  query.definitions.find((definition) => definition.kind === Kind.OPERATION_DEFINITION)?.selectionSet
    .selections ?? [];

/** The hash in a document of this package, without the prefix `sha256:`. */
function hashOf(document: DocumentNode): string | null {
  const meta = '__meta__' in document ? document.__meta__ : null;
  return isRecord(meta) && typeof meta.hash === 'string' ? meta.hash.replace(/^sha256:/, '') : null;
}

const keyOf = ({ variables: { idempotencyKey } }: ApolloLink.Operation): string =>
  typeof idempotencyKey === 'string' ? idempotencyKey : newKey();
