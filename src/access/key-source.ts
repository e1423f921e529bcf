import { createLocalJWKSet, errors, type JSONWebKeySet, type JWK, type JWTVerifyGetKey } from 'jose';
import { unavailable } from '../errors/domain-error.js';
import { distinct, isWhole } from './key-set.js';

/** `what` says what is wrong with the keys, without secrets. */
export type ReportKeys = (what: string, fault?: unknown) => void;

interface KeySourceOptions {
  load: () => Promise<JSONWebKeySet>;
  /** Without these keys, the first token waits for `load`. */
  initial?: JSONWebKeySet;
  /** Called for every failed load, and once for each new fault in a set. */
  report?: ReportKeys | undefined;
  /** Monotonic; default `performance.now`. */
  nowMs?: () => number;
}

// With the 15 s of the token cache, a removed key stops working within 30 s.
const freshMs = 15_000;
const usableMs = 3_600_000;
const cooldownMs = 5_000;

/**
 * Finds the key of a token by its `kid` (Contract 5.4).
 * - Reloads the set when it is older than 15 s, and at once for an unknown `kid`.
 * - Runs one load at a time. After a failed load, or a load for an unknown `kid`, waits 5 s before the next, so that made-up
 *   kids cannot flood the identity provider.
 * - Skips broken keys: their `kid` counts as unknown.
 * - If several keys share a `kid`, throws jose's JWKSMultipleMatchingKeys, an iterable of these keys.
 * - While loads fail, the last known keys stay usable for an hour.
 * - Accepts a token without a `kid` only if exactly one key fits.
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
    // Soon after a failed load, don't make callers wait for another time-out while the known keys are usable. Later, do wait: the load
    // may show that the caller's key was removed.
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
    // Answer 503, not 401, while loads fail: an unknown kid may belong to a new key.
    return find(header, token).catch((error: unknown) => {
      throw fault !== null && error instanceof errors.JWKSNoMatchingKey ? away() : error;
    });
  };
}

function warningOf(keys: readonly JWK[], whole: readonly JWK[]): string | null {
  if (whole.length === 0) return 'the key set has no usable key: every token is refused';
  const broken = keys.filter((key) => !whole.includes(key)).map(({ kid }) => kid);
  return broken.length === 0 ? null : `broken keys are skipped: ${JSON.stringify(broken)}`;
}
