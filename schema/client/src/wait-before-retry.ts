import { isBrokenConnection } from './broken-connection.js';
import { isRecord } from './is-record.js';
import { readRefusal } from './refusal.js';
import { headersOf, retryAfterSecondsOf } from './reply-headers.js';

const busyCodes: readonly string[] = ['rate-limit-exceeded', 'service-unavailable'];

/** Statuses of a busy or unreachable gateway, for replies whose body no client could read. */
const busyStatuses: readonly unknown[] = [429, 502, 503, 504];

/**
 * Milliseconds to wait before a call is repeated, for any client: as long as the gateway or its proxy says (`Retry-After`), and a little
 * longer each time, at most 5 s more. Null if a repetition makes no sense. Repeat only what is safe to repeat: queries,
 * and mutations with an idempotency key.
 * @param failure as for {@link readRefusal}, or the error of a broken connection
 * @param tries how often the call was sent, from 1 on
 */
export function waitBeforeRetry(failure: unknown, tries: number): number | null {
  const refusal = readRefusal(failure);
  const { response, statusCode, networkError } = isRecord(failure) ? failure : {};
  const status = statusCode ?? (isRecord(response) ? response.status : null);
  const isBusy = refusal
    ? refusal.errors.some(({ error }) => busyCodes.includes(error))
    : busyStatuses.includes(status) || isBrokenConnection(networkError ?? failure);
  if (!isBusy) return null;
  // Without the jitter, calls that were refused together would return together.
  const backOffMs = Math.min(5_000, 250 * 2 ** (tries - 1)) * (0.5 + Math.random() / 2);
  const toldSeconds = refusal?.retryAfterSeconds ?? retryAfterSecondsOf(headersOf(response));
  return (toldSeconds ?? 0) * 1_000 + backOffMs;
}
