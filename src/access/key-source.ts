import { createLocalJWKSet, errors, type JSONWebKeySet, type JWK, type JWTVerifyGetKey } from 'jose';
import { unavailable } from '../errors/domain-error.js';
import { distinct, isWhole } from './key-set.js';

/** Is told what is wrong with the keys, without a secret, and the fault behind it where there is one. */
export type ReportKeys = (what: string, fault?: unknown) => void;

interface KeySourceOptions {
  /** Reads the public keys from where they are kept. */
  load: () => Promise<JSONWebKeySet>;
  /** Keys that were read already; without them the first token waits for `load`. */
  initial?: JSONWebKeySet;
  /** Told for the log of every load that failed, and once of what is wrong with a set, until that changes. */
  report?: ReportKeys | undefined;
  /** A clock that never goes back, in milliseconds; default `performance.now`. */
  nowMs?: () => number;
}

// With the 15 s that a verified token is kept, a key taken out stops working within 30 s.
const freshMs = 15_000;
const usableMs = 3_600_000;
const cooldownMs = 5_000;

/**
 * Finds the key of a token by its `kid` in a set that may change while the gateway runs (Contract 5.4).
 * - The set is read again when it is older than 15 s, and at once for a `kid` that it lacks: a new key works
 *   immediately. At most one reading at a time, and none for 5 s after a failed one or one for an unknown `kid`,
 *   so made-up kids cause no storm.
 * - A broken key is left out, so that a mended one is read as soon as a token names it. Of several keys with one `kid`
 *   none is chosen: jose's JWKSMultipleMatchingKeys has them all.
 * - While it cannot be read, the keys known last stay usable for an hour.
 * - A token without a `kid` is taken only where a single key fits it: trying many would cost more than it gives.
 *
 * @throws DomainError service-unavailable when no usable key is known, or not the one asked for while the keys cannot be read;
 *   jose's JWKSNoMatchingKey and the like otherwise.
 */
export function createKeySource(options: KeySourceOptions): JWTVerifyGetKey {
  const { load, initial, report = () => {}, nowMs = () => performance.now() } = options;
  let find = createLocalJWKSet(initial ?? { keys: [] });
  let readAtMs = initial ? nowMs() : -Infinity;
  let quietUntilMs = -Infinity;
  let failedAtMs = -Infinity;
  let fault: unknown = null;
  let loading: Promise<void> | null = null;
  let warning: string | null = null;

  const ageMs = (): number => nowMs() - readAtMs;
  const mayReload = (): boolean => loading !== null || nowMs() >= quietUntilMs;

  async function readSet(): Promise<void> {
    const startedAtMs = nowMs();
    try {
      const { keys } = await load();
      const whole = keys.filter(isWhole);
      find = createLocalJWKSet({ keys: distinct(whole) });
      readAtMs = startedAtMs;
      fault = null;
      warnOnce(warningOf(keys, whole));
    } catch (error) {
      fault = error;
      failedAtMs = nowMs();
      quietUntilMs = failedAtMs + cooldownMs;
      report('the keys could not be read again', error);
    }
  }

  function warnOnce(next: string | null): void {
    if (next !== null && next !== warning) report(next);
    warning = next;
  }

  const reload = (): Promise<void> => (loading ??= readSet().finally(() => (loading = null)));

  async function refreshWhenOld(): Promise<void> {
    if (ageMs() <= freshMs || !mayReload()) return;
    // Where the last try has just failed, callers do not wait for the time-out as long as a known key can serve them. A
    // failure of long ago says nothing: the keys may be readable since, and the key that a caller names taken out.
    const isWorthWaiting = nowMs() - failedAtMs > freshMs || ageMs() > usableMs;
    const reloading = reload();
    if (isWorthWaiting) await reloading;
  }

  const away = () => unavailable(fault, Math.max(1, Math.ceil((quietUntilMs - nowMs()) / 1_000)));

  return async (header, token) => {
    await refreshWhenOld();
    if (ageMs() > usableMs) throw away();
    try {
      return await find(header, token);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
    }
    if (mayReload()) {
      quietUntilMs = nowMs() + cooldownMs;
      await reload();
    }
    // A key that is new since the keys could last be read would be unknown here, too.
    return find(header, token).catch((error: unknown) => {
      throw fault !== null && error instanceof errors.JWKSNoMatchingKey ? away() : error;
    });
  };
}

/** What is wrong with a set that was read; null where nothing is. */
function warningOf(keys: readonly JWK[], whole: readonly JWK[]): string | null {
  if (whole.length === 0) return 'the key set has no usable key: every token is refused';
  const broken = keys.filter((key) => !whole.includes(key)).map(({ kid }) => kid);
  return broken.length === 0 ? null : `keys that are broken are left out: ${JSON.stringify(broken)}`;
}
