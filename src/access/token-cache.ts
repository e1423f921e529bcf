import { type Caller } from './caller.js';

// Half of the 30 s in which a key that was taken out must stop working; the key set's own age is the other half.
const keptMs = 15_000;
const mostTokens = 2_000;

interface Entry {
  caller: Caller;
  fromMs: number;
  untilMs: number;
}

/** The callers of tokens that were verified within the last 15 s, never past a token's `exp`; at most 2,000. */
export class TokenCache {
  // The header itself is the key: hashing it would cost more than the rest of a hit.
  readonly #entries = new Map<string, Entry>();

  find(authorization: string, nowMs: number): Caller | undefined {
    const entry = this.#entries.get(authorization);
    // The lower bound holds when the clock is set back.
    return entry && nowMs >= entry.fromMs && nowMs < entry.untilMs ? entry.caller : undefined;
  }

  /** Keeps the caller of a token that was verified at `nowMs`. */
  keep(authorization: string, caller: Caller, nowMs: number): void {
    this.#entries.delete(authorization);
    // A map keeps its order of insertion, which here is about the order in which entries lapse.
    const [oldest = ''] = this.#entries.keys();
    if (this.#entries.size >= mostTokens) this.#entries.delete(oldest);
    const untilMs = Math.min(nowMs + keptMs, caller.expiresAt.getTime());
    this.#entries.set(authorization, { caller, fromMs: nowMs, untilMs });
  }
}
