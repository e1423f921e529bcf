/** To repeat the random choices of a failed run: `SEED=… npm run test:reliability`. */
const seed = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 31));
process.stdout.write(`reliability: SEED=${seed}\n`);

export interface Random {
  /** A whole number from `low` to below `high`. */
  between(low: number, high: number): number;
  pick<T>(list: readonly T[]): T;
}

/** The same numbers for the same seed and purpose (mulberry32). */
export function randomFor(purpose: string, from = seed): Random {
  let state = [...purpose].reduce((hash, letter) => Math.imul(hash ^ letter.charCodeAt(0), 0x01000193), from);
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const between = (low: number, high: number) => low + Math.floor(next() * (high - low));
  return { between, pick: <T>(list: readonly T[]) => list[between(0, list.length)] as T };
}
