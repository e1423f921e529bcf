import { createRemoteJWKSet, customFetch, errors, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose';
import { unavailable } from '../errors/domain-error.js';
import { distinct, isWhole } from './key-set.js';

/** `what` says what is wrong with the keys, without secrets. */
export type ReportKeys = (what: string, fault?: unknown) => void;

export interface KeySource {
  /** @throws DomainError service-unavailable when no key is known */
  resolve: JWTVerifyGetKey;
  /** How old the keys are while they cannot be loaded again: Infinity without keys, 0 while loads succeed. */
  staleSeconds: () => number;
  /** Whether there are keys to verify tokens with. Loads the keys first if none are usable. */
  isWell: () => Promise<boolean>;
}

interface KeySourceOptions {
  url: URL;
  /** Must stop when the signal aborts, after 2 s. */
  load: (signal: AbortSignal) => Promise<JSONWebKeySet>;
  /** Called for every failed load, and once for each new fault in a set. */
  report?: ReportKeys | undefined;
  /** Monotonic; default `performance.now`. */
  nowMs?: () => number;
}

// Short, because a caller may be waiting for the keys.
const timeoutMs = 2_000;
// With the 15 s of the token cache, a removed key stops working within 30 s.
const freshMs = 15_000;
const usableMs = 3_600_000;
const cooldownMs = 5_000;

/**
 * Finds the key of a token by its `kid`.
 * - Reloads the set when it is older than 15 s, and at once for an unknown `kid`.
 * - After a failed load, or a load for an unknown `kid`, waits 5 s before the next, so that made-up kids cannot flood the provider.
 * - Skips broken keys: their `kid` counts as unknown. A set without usable keys is a failed load.
 * - If several keys share a `kid`, throws jose's JWKSMultipleMatchingKeys, an iterable of these keys.
 * - While loads fail, the last known keys stay usable for an hour.
 * - Accepts a token without a `kid` only if exactly one key fits.
 *
 * @throws DomainError service-unavailable when no usable key is known, or when the `kid` is unknown and the load failed;
 *   otherwise jose's JWKSNoMatchingKey and similar
 */
export function createKeySource(options: KeySourceOptions): KeySource {
  const { url, load, report = () => {}, nowMs = () => performance.now() } = options;
  let readAtMs = -Infinity;
  let quietUntilMs = -Infinity;
  let failure: { error: unknown; atMs: number } | null = null;
  let warning: string | null = null;

  const set = createRemoteJWKSet(url, {
    // This module decides when to reload: jose would retry a failed load for every token.
    cacheMaxAge: Infinity,
    cooldownDuration: Infinity,
    timeoutDuration: timeoutMs,
    [customFetch]: async (_url, { signal }) => {
      const startedAtMs = nowMs();
      try {
        const { keys } = await load(signal);
        const whole = keys.filter(isWhole);
        if (whole.length === 0) throw new Error('the key set has no usable key');
        const broken = keys.filter((key) => !whole.includes(key)).map(({ kid }) => kid);
        const next = broken.length === 0 ? null : `broken keys are skipped: ${JSON.stringify(broken)}`;
        if (next !== null && next !== warning) report(next);
        warning = next;
        failure = null;
        readAtMs = startedAtMs;
        return Response.json({ keys: distinct(whole) });
      } catch (error) {
        failure = { error, atMs: nowMs() };
        quietUntilMs = failure.atMs + cooldownMs;
        report('the keys could not be reloaded', error);
        throw error;
      }
    },
  });

  const ageMs = (): number => nowMs() - readAtMs;
  const mayReload = (): boolean => set.reloading || nowMs() >= quietUntilMs;
  const reload = (): Promise<void> => set.reload().catch(() => undefined);

  async function refreshWhenOld(): Promise<void> {
    if (ageMs() <= freshMs || !mayReload()) return;
    // Soon after a failed load, don't make callers wait for another time-out while the known keys are usable. Later, do wait: the load
    // may show that the caller's key was removed.
    const isWorthWaiting = failure === null || nowMs() - failure.atMs > freshMs || ageMs() > usableMs;
    const reloading = reload();
    if (isWorthWaiting) await reloading;
  }

  const away = () => unavailable(failure?.error, Math.max(1, Math.ceil((quietUntilMs - nowMs()) / 1_000)));

  return {
    staleSeconds: () => (failure === null ? 0 : ageMs() / 1_000),
    isWell: async () => {
      if (ageMs() > usableMs && mayReload()) await reload();
      return ageMs() <= usableMs;
    },
    resolve: async (header, token) => {
      await refreshWhenOld();
      if (ageMs() > usableMs) throw away();
      try {
        return await set(header, token);
      } catch (error) {
        if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
      }
      if (mayReload()) {
        quietUntilMs = nowMs() + cooldownMs;
        await reload();
      }
      // Answer 503, not 401, while loads fail: an unknown kid may belong to a new key.
      return set(header, token).catch((error: unknown) => {
        throw failure !== null && error instanceof errors.JWKSNoMatchingKey ? away() : error;
      });
    },
  };
}
