/** What a reply tells in `extensions.rateLimit` of the bucket that its operation used (Contract 8.2.4). */
export interface RateLimit {
  limit: number;
  remaining: number;
  resetSeconds: number;
}

interface Window extends Pick<RateLimit, 'limit' | 'remaining'> {
  endMs: number;
  lengthMs: number;
}

/**
 * What is known here of one bucket, by the replies so far. Others may spend of it too, so it spares most refusals and
 * rules out none.
 */
export class QuotaState {
  private window: Window | null = null;

  /** Takes a unit, or says in how many milliseconds to ask again; 0 when it was taken. */
  take(nowMs: number): number {
    const { window } = this;
    if (!window) return 0;
    if (nowMs >= window.endMs) {
      window.remaining = window.limit;
      window.endMs = nowMs + window.lengthMs;
    }
    if (window.remaining <= 0) return window.endMs - nowMs;
    window.remaining -= 1;
    return 0;
  }

  /** Learns from a reply. What other calls under way have taken stays taken. */
  note({ limit, remaining, resetSeconds }: RateLimit, nowMs: number): void {
    const { window } = this;
    const restMs = resetSeconds * 1_000;
    const isSameWindow = window !== null && nowMs < window.endMs;
    this.window = {
      limit,
      remaining: isSameWindow ? Math.min(window.remaining, remaining) : remaining,
      endMs: nowMs + restMs,
      lengthMs: Math.max(window?.lengthMs ?? 0, restMs),
    };
  }
}

/** The state of a quota that a reply tells, if it tells one. */
export function readRateLimit(extensions: Record<string, unknown> | undefined): RateLimit | null {
  const told = extensions?.rateLimit;
  if (typeof told !== 'object' || told === null) return null;
  if (!('limit' in told && 'remaining' in told && 'resetSeconds' in told)) return null;
  const { limit, remaining, resetSeconds } = told;
  return typeof limit === 'number' && typeof remaining === 'number' && typeof resetSeconds === 'number'
    ? { limit, remaining, resetSeconds }
    : null;
}
