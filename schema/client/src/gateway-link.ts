import { ApolloLink } from '@apollo/client';
import { type DocumentNode, Kind, OperationTypeNode, type SelectionNode } from 'graphql';
import { catchError, finalize, map, Observable, of, race, retry, switchMap, throwError, timer } from 'rxjs';
import { isBrokenConnection } from './broken-connection.js';
import { Bucket } from './bucket.js';
import { isRecord } from './is-record.js';
import { readRateLimit } from './rate-limit.js';
import { readRefusal } from './refusal.js';
import { headersOf, retryAfterSecondsOf } from './reply-headers.js';

/** What a front-end may choose about its link. */
export interface GatewayLinkOptions {
  /**
   * Seconds from the call of an operation within which it may be held back or sent again, 0 or more, 30 by default. What
   * would take longer fails with what the gateway said last. For a reply it waits as long as the link does that sends.
   */
  patienceSeconds?: number;
  /** Sends the documents of this package by their hash alone, to a gateway that has them as `TRUSTED_DOCUMENTS`. */
  trustedDocuments?: boolean;
}

/**
 * A link of Apollo Client for the gateway, to stand before the one that sends (`HttpLink`, or one that uploads).
 * - It marks each request as one that a browser asks leave for (`apollo-require-preflight`), which uploads need.
 * - It holds an operation back while the last reply says that its quota is spent by what is under way, and where the
 *   gateway refuses it all the same (429), or is busy (503), it waits as `Retry-After` says and sends it again.
 * - It sends again what broke on its way, or met a proxy whose gateway was away, after the seconds that the proxy tells, or
 *   after waits that double, up to 5 s.
 * - It gives each mutation whose every root field takes the variable `$idempotencyKey` a key of its own, unless there is
 *   one, and keeps it for every try: however often it is sent, it is done once. Any other mutation is sent once.
 * - It sends the mutations of one quota one after another, in the order of their calls.
 * - It ends what waits as soon as the signal of its `fetchOptions` aborts.
 */
export function gatewayLink({
  patienceSeconds = 30,
  trustedDocuments = false,
}: GatewayLinkOptions = {}): ApolloLink {
  const buckets = new Map<string, Bucket>();
  return new ApolloLink((operation, forward) => {
    prepare(operation, trustedDocuments);
    const name = bucketOf(operation);
    const bucket = buckets.get(name) ?? new Bucket();
    buckets.set(name, bucket);
    const place = bucket.enter(performance.now() + patienceSeconds * 1_000);

    /** What a later link threw instead of answering: a bug, which no other try escapes. */
    let fault: unknown;
    const send = (): Observable<ApolloLink.Result> => {
      try {
        return forward(operation);
      } catch (thrown) {
        fault = thrown;
        return throwError(() => thrown);
      }
    };
    const sent = bucket.turn(place).pipe(
      switchMap(send),
      map((result) => {
        const state = readRateLimit(result.extensions);
        if (state) bucket.note(place, state);
        const { response }: Context = operation.getContext();
        const retryAfterSeconds = readRefusal(result, headersOf(response))?.retryAfterSeconds;
        if (retryAfterSeconds == null) return result;
        return { ...result, extensions: { ...result.extensions, retryAfterSeconds } };
      }),
      finalize(() => bucket.leave(place)),
    );
    const repeated = sent.pipe(
      switchMap((result) => (isBusy(result) ? throwError(() => new Busy(result)) : of(result))),
      retry({
        delay: (failure: unknown, tries) => {
          const waitMs = failure === fault ? null : waitBeforeRetry(failure, tries);
          if (waitMs === null || performance.now() + waitMs > place.deadlineMs)
            return throwError(() => failure);
          // For its quota it waits with all that do, where it stands before what was called later.
          return isOfQuota(failure) && bucket.isSpent() ? of(0) : timer(waitMs);
        },
      }),
      catchError((failure: unknown) =>
        failure instanceof Busy ? of(failure.result) : throwError(() => failure),
      ),
    );
    const tried = isRepeatable(operation) ? repeated : sent;
    const done = isMutation(operation) ? bucket.afterEarlier(place, tried) : tried;
    const { fetchOptions }: Context = operation.getContext();
    return fetchOptions?.signal ? race(abortOf(fetchOptions.signal), done) : done;
  });
}

/** Fails with the reason of an abort. `HttpLink` heeds the signal of its request only while that is under way. */
const abortOf = (signal: AbortSignal): Observable<never> =>
  new Observable((subscriber) => {
    const fail = (): void => subscriber.error(signal.reason);
    if (signal.aborted) return fail();
    signal.addEventListener('abort', fail);
    return () => signal.removeEventListener('abort', fail);
  });

/** A refusal that another try may escape, on its way past `retry`. */
class Busy {
  constructor(readonly result: ApolloLink.Result) {}
}

const busyCodes: readonly string[] = ['rate-limit-exceeded', 'service-unavailable'];

/** Statuses of proxies whose gateway is away, and of the gateway where Apollo Client reads no body of theirs. */
const busyStatuses: readonly unknown[] = [429, 502, 503, 504];

const isBusy = (failure: unknown): boolean =>
  readRefusal(failure)?.errors.some(({ error }) => busyCodes.includes(error)) ?? false;

const isOfQuota = (failure: unknown): boolean =>
  failure instanceof Busy && readRefusal(failure.result)?.error === 'rate-limit-exceeded';

/** Milliseconds to wait before the next try; null where none makes sense. */
export function waitBeforeRetry(failure: unknown, tries: number): number | null {
  const refused = failure instanceof Busy ? failure.result : failure;
  const isUnheard =
    isBrokenConnection(failure) ||
    (failure instanceof Error && 'statusCode' in failure && busyStatuses.includes(failure.statusCode));
  if (!isBusy(refused) && !isUnheard) return null;
  // A proxy tells it too, in a reply whose body is none of the gateway's.
  const { response } = isRecord(failure) ? failure : {};
  const toldSeconds = readRefusal(refused)?.retryAfterSeconds ?? retryAfterSecondsOf(headersOf(response));
  if (toldSeconds !== null) return toldSeconds * 1_000;
  // Not all at the same instant: a gateway that has just come back would meet every client at once.
  return Math.min(5_000, 250 * 2 ** (tries - 1)) * (0.5 + Math.random() / 2);
}

/** What this link knows of the context that links share. */
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

const isMutation = ({ operationType }: ApolloLink.Operation): boolean =>
  operationType === OperationTypeNode.MUTATION;

const isRepeatable = (operation: ApolloLink.Operation): boolean =>
  operation.operationType === OperationTypeNode.QUERY || takesKey(operation);

/** A root field without the key would be done again with every try. Fragments are not looked into. */
const takesKey = (operation: ApolloLink.Operation): boolean =>
  isMutation(operation) &&
  rootFieldsOf(operation).every(
    (field) =>
      field.kind === Kind.FIELD &&
      field.arguments?.some(
        ({ name, value }) =>
          name.value === keyName && value.kind === Kind.VARIABLE && value.name.value === keyName,
      ),
  );

const keyName = 'idempotencyKey';

/** Queries share a bucket; each mutation is taken to have its own (Contract 8.2.1). */
function bucketOf(operation: ApolloLink.Operation): string {
  if (!isMutation(operation)) return 'query';
  const [first] = rootFieldsOf(operation);
  return first?.kind === Kind.FIELD ? first.name.value : 'mutation';
}

const rootFieldsOf = ({ query }: ApolloLink.Operation): readonly SelectionNode[] =>
  query.definitions.find((definition) => definition.kind === Kind.OPERATION_DEFINITION)?.selectionSet
    .selections ?? [];

/** The hash that a document of this package brings along, without the name of its algorithm. */
function hashOf(document: DocumentNode): string | null {
  const meta = '__meta__' in document ? document.__meta__ : null;
  return isRecord(meta) && typeof meta.hash === 'string' ? meta.hash.replace(/^sha256:/, '') : null;
}

const keyOf = ({ variables: { idempotencyKey } }: ApolloLink.Operation): string =>
  typeof idempotencyKey === 'string' ? idempotencyKey : newKey();

/** 128 random bits; `crypto.randomUUID` is only for pages that came over HTTPS. */
const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  );
