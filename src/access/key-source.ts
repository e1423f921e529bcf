import { createLocalJWKSet, errors, type JSONWebKeySet, type JWK, type JWTVerifyGetKey } from 'jose';
import { unavailable } from '../errors/domain-error.js';
import { distinct, isWhole } from './key-set.js';

/** Receives a text that says what is wrong with the keys, without secrets, and the underlying error, if any. */
export type ReportKeys = (what: string, fault?: unknown) => void;

interface KeySourceOptions {
  /** Reads the public keys from the file or the identity provider. */
  load: () => Promise<JSONWebKeySet>;
  /** Keys to start with; without them the first token waits for `load`. */
  initial?: JSONWebKeySet;
  /** Called for every failed load, and once for each new fault found in a set. */
  report?: ReportKeys | undefined;
  /** A monotonic clock in milliseconds; default `performance.now`. */
  nowMs?: () => number;
}

// Verified tokens are cached for another 15 s, so a removed key stops working within 30 s.
const freshMs = 15_000;
const usableMs = 3_600_000;
const cooldownMs = 5_000;

/**
 * Finds the key of a token by its `kid`, in a set that may change while the gateway runs (Contract 5.4).
 * - Reloads the set when it is older than 15 s, and at once for an unknown `kid`, so a new key works immediately.
 * - Runs one load at a time. After a failed load, or a load for an unknown `kid`, waits 5 s before the next, so that made-up
 *   kids cannot flood the identity provider.
 * - Skips broken keys. The `kid` of a broken key counts as unknown, so a token that names it reloads the set and works once the
 *   provider has repaired the key.
 * - If several keys share a `kid`, throws jose's JWKSMultipleMatchingKeys. The caller iterates over that error to try each key.
 * - While loads fail, the last known keys stay usable for an hour.
 * - Accepts a token without a `kid` only if exactly one key fits: trying many is not worth the cost.
 *
 * @throws DomainError service-unavailable when no usable key is known, or when the `kid` is unknown and the load failed;
 *   otherwise jose's JWKSNoMatchingKey and similar
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
      report('the keys could not be reloaded', error);
    }
  }

  function warnOnce(next: string | null): void {
    if (next !== null && next !== warning) report(next);
    warning = next;
  }

  const reload = (): Promise<void> => (loading ??= readSet().finally(() => (loading = null)));

  async function refreshWhenOld(): Promise<void> {
    if (ageMs() <= freshMs || !mayReload()) return;
    // If a load has just failed, don't make callers wait for another time-out while the known keys are usable. After an older
    // failure, do wait: the load may work by now, and may show that the caller's key was removed.
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
    // While loads fail, an unknown kid may belong to a new key that we could not load. So answer 503, not 401.
    return find(header, token).catch((error: unknown) => {
      throw fault !== null && error instanceof errors.JWKSNoMatchingKey ? away() : error;
    });
  };
}

/** What is wrong with a loaded set; null if nothing is. */
function warningOf(keys: readonly JWK[], whole: readonly JWK[]): string | null {
  if (whole.length === 0) return 'the key set has no usable key: every token is refused';
  const broken = keys.filter((key) => !whole.includes(key)).map(({ kid }) => kid);
  return broken.length === 0 ? null : `broken keys are skipped: ${JSON.stringify(broken)}`;
}
