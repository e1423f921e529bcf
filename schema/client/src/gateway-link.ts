import { ApolloLink } from '@apollo/client';
import { type DocumentNode, type FieldNode, Kind, OperationTypeNode, type SelectionNode } from 'graphql';
import { catchError, finalize, map, Observable, of, race, retry, switchMap, throwError, timer } from 'rxjs';
import { isBrokenConnection, UnreachedGatewayError } from './broken-connection.js';
import { Bucket } from './bucket.js';
import { isRecord } from './is-record.js';
import { mutationBuckets } from './mutation-buckets.js';
import { readRateLimit, readUnits } from './rate-limit.js';
import { readRefusal } from './refusal.js';
import { headersOf, retryAfterSecondsOf } from './reply-headers.js';

export interface GatewayLinkOptions {
  /**
   * How long an operation may wait or retry, in seconds from its call, 0 or more; default 30. After that, it fails with the last
   * refusal or error. Only the terminating link can limit the wait for a reply.
   */
  patienceSeconds?: number;
  /**
   * Called when a wait begins, for example to show it. The call comes after the subscription to the operation, so it may set the state of
   * a React component. A mutation that waits for an earlier mutation causes no call of its own.
   */
  onWait?: (wait: Wait) => void;
  /** Called once for each call of `onWait`, with the same object, when the wait is over: the request is sent, or the operation ends. */
  onWaitEnd?: (wait: Wait) => void;
  /** Sends documents of this package as hashes only. The gateway needs them as `TRUSTED_DOCUMENTS`. */
  trustedDocuments?: boolean;
}

export interface Wait {
  /** The name of the operation, such as `UpdateJob`, if its document has one. */
  operationName: string | undefined;
  /** `quota`: too few units are left; `busy`: the gateway or its proxy refused (503); `unreachable`: the connection broke. */
  reason: 'quota' | 'busy' | 'unreachable';
  /** Milliseconds. The wait can end earlier, if another reply says that units are left, and another wait can follow. */
  forMs: number;
  /** The request that follows the wait: 1 for the first of its operation. */
  attempt: number;
}

/**
 * An Apollo link for the gateway. Put it before the terminating link (`HttpLink`, or a link that uploads).
 * - Sets `apollo-require-preflight` on each request, which uploads need.
 * - Holds an operation back while its quota has too few units left besides the operations in flight, counting what its document cost
 *   the last time with its variables. If the gateway still refuses it (429), or is busy (503), the link waits as long as `Retry-After` says, and retries.
 * - Retries if the connection breaks, or if a proxy cannot reach the gateway, after the wait that the proxy asks for. Otherwise the
 *   wait doubles each time, up to 5 s. Until the gateway has answered once, a broken connection is an `UnreachedGatewayError` at once.
 * - Sends a mutation and its retries with the same idempotency key, yours or a new one, so that the mutation runs once. Every root
 *   field must take the variable `$idempotencyKey`; any other mutation is sent without retries.
 * - Sends the mutations of one quota one after another, in the order of their calls.
 * - Ends a wait as soon as the signal of the operation's `fetchOptions` aborts, or nobody subscribes to the operation any more.
 */
export function gatewayLink({
  patienceSeconds = 30,
  onWait,
  onWaitEnd,
  trustedDocuments = false,
}: GatewayLinkOptions = {}): ApolloLink {
  const buckets = new Map<string, Bucket>();
  let isReached = false;
  return new ApolloLink((operation, forward) => {
    // Without the idempotency key, which is new each time.
    const variables = JSON.stringify(operation.variables);
    prepare(operation, trustedDocuments);
    const name = bucketOf(operation);
    const bucket = buckets.get(name) ?? new Bucket();
    buckets.set(name, bucket);
    const units = bucket.costs.expected(operation.query, variables);
    const place = bucket.enter(performance.now() + patienceSeconds * 1_000, units);
    let attempt = 1;

    let wait: Wait | null = null;
    const endWait = (): void => {
      const ended = wait;
      wait = null;
      // When a microtask runs, React neither renders nor subscribes.
      if (ended && onWaitEnd) queueMicrotask(() => onWaitEnd(ended));
    };
    const tell = (reason: Wait['reason'], forMs: number): void => {
      endWait();
      const begun = { operationName: operation.operationName, reason, forMs, attempt };
      wait = begun;
      if (onWait) queueMicrotask(() => onWait(begun));
    };

    /** A synchronous error of a later link: a bug, so a retry would not help. */
    let fault: unknown;
    const send = (): Observable<ApolloLink.Result> => {
      endWait();
      try {
        return forward(operation);
      } catch (thrown) {
        fault = thrown;
        return throwError(() => thrown);
      }
    };
    const sent = bucket
      .turn(place, (forMs) => tell('quota', forMs))
      .pipe(
        switchMap(send),
        map((result) => {
          isReached = true;
          place.units = readUnits(result.extensions) ?? place.units;
          bucket.costs.note(operation.query, variables, place.units);
          const state = readRateLimit(result.extensions);
          if (state) bucket.note(place, state);
          const { response }: Context = operation.getContext();
          const retryAfterSeconds = readRefusal(result, headersOf(response))?.retryAfterSeconds;
          if (retryAfterSeconds == null) return result;
          return { ...result, extensions: { ...result.extensions, retryAfterSeconds } };
        }),
        catchError((failure: unknown) => {
          const isFirst = !isReached && failure !== fault && isBrokenConnection(failure);
          return throwError(() => (isFirst ? new UnreachedGatewayError(failure) : failure));
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
          attempt = tries + 1;
          const isQuota = isOfQuota(failure);
          // If the quota is spent, the operation waits in the bucket, ahead of later calls.
          if (isQuota && !bucket.hasRoomFor(place)) return of(0);
          tell(isQuota ? 'quota' : isBrokenConnection(failure) ? 'unreachable' : 'busy', waitMs);
          return timer(waitMs);
        },
      }),
      catchError((failure: unknown) =>
        failure instanceof Busy ? of(failure.result) : throwError(() => failure),
      ),
    );
    const tried = isRepeatable(operation) ? repeated : sent;
    const done = isMutation(operation) ? bucket.afterEarlier(place, tried) : tried;
    const { fetchOptions }: Context = operation.getContext();
    const signalled = fetchOptions?.signal ? race(abortOf(fetchOptions.signal), done) : done;
    return signalled.pipe(finalize(endWait));
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

/** A refusal as an error: `retry` repeats an operation only after an error. */
class Busy {
  constructor(readonly result: ApolloLink.Result) {}
}

const busyCodes: readonly string[] = ['rate-limit-exceeded', 'service-unavailable'];

/** Statuses of a busy or unreachable gateway, for replies whose body Apollo Client could not read. */
const busyStatuses: readonly unknown[] = [429, 502, 503, 504];

const isBusy = (failure: unknown): boolean =>
  readRefusal(failure)?.errors.some(({ error }) => busyCodes.includes(error)) ?? false;

const isOfQuota = (failure: unknown): boolean =>
  failure instanceof Busy && readRefusal(failure.result)?.error === 'rate-limit-exceeded';

/** Milliseconds to wait before the next try; null if a retry makes no sense. */
export function waitBeforeRetry(failure: unknown, tries: number): number | null {
  const refused = failure instanceof Busy ? failure.result : failure;
  const isUnheard =
    isBrokenConnection(failure) ||
    (failure instanceof Error && 'statusCode' in failure && busyStatuses.includes(failure.statusCode));
  if (!isBusy(refused) && !isUnheard) return null;
  // A proxy may send `Retry-After` too, with a body of its own.
  const { response } = isRecord(failure) ? failure : {};
  const toldSeconds = readRefusal(refused)?.retryAfterSeconds ?? retryAfterSecondsOf(headersOf(response));
  if (toldSeconds !== null) return toldSeconds * 1_000;
  // Jitter keeps clients from hitting a restarted gateway all at once.
  return Math.min(5_000, 250 * 2 ** (tries - 1)) * (0.5 + Math.random() / 2);
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

const isMutation = ({ operationType }: ApolloLink.Operation): boolean =>
  operationType === OperationTypeNode.MUTATION;

const isRepeatable = (operation: ApolloLink.Operation): boolean =>
  operation.operationType === OperationTypeNode.QUERY || takesKey(operation);

/** Whether every root field takes the key: a field without it would run again on each retry. A fragment counts as such a field. */
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

/** The bucket of the first root field. A mutation that this version of the package does not know counts alone. */
function bucketOf(operation: ApolloLink.Operation): string {
  if (!isMutation(operation)) return 'read';
  const [first] = rootFieldsOf(operation);
  if (first?.kind !== Kind.FIELD) return 'mutation';
  const { value: name } = first.name;
  const { call, dryRun } = mutationBuckets[name] ?? { call: name, dryRun: name };
  return isDryRun(first, operation) ? dryRun : call;
}

function isDryRun(field: FieldNode, { variables }: ApolloLink.Operation): boolean {
  const given = field.arguments?.find(({ name }) => name.value === 'dryRun')?.value;
  return given?.kind === Kind.VARIABLE
    ? variables[given.name.value] === true
    : given?.kind === Kind.BOOLEAN && given.value;
}

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

/** 128 random bits. `crypto.randomUUID` exists only on pages that came over HTTPS. */
const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  );
