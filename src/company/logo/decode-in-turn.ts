import { LogoWaitError } from './logo-errors.js';

/**
 * An ordinary picture is decoded in some hundredths of a second, the slowest in 5 or 6 s. If a picture waits for longer than
 * this, more pictures come than can be decoded.
 */
const longestWaitMs = 5_000;

/** The pictures that wait, by caller. The caller whose turn is next comes first. */
const waiting = new Map<string, (() => void)[]>();
let isDecoding = false;

/**
 * Runs `decode` when the decoder is free and it is the caller's turn. Pictures are decoded one at a time: the worst WebP
 * takes up to 750 MiB, and several at once would exhaust the memory. Callers take turns, however many pictures one of them
 * sends. A picture that cannot be decoded does not hold up the next.
 * @throws LogoWaitError if its turn does not come within 5 s; then `decode` never runs
 */
export async function decodeInTurn<T>(caller: string, decode: () => Promise<T>): Promise<T> {
  if (isDecoding) await turnOf(caller);
  isDecoding = true;
  try {
    return await decode();
  } finally {
    handOn(caller);
  }
}

function turnOf(caller: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const begin = () => {
      clearTimeout(timer);
      resolve();
    };
    const timer = setTimeout(() => {
      const others = waiting.get(caller)?.filter((other) => other !== begin) ?? [];
      if (others.length > 0) waiting.set(caller, others);
      else waiting.delete(caller);
      reject(new LogoWaitError('other pictures take long to be decoded'));
    }, longestWaitMs);
    waiting.set(caller, [...(waiting.get(caller) ?? []), begin]);
  });
}

/** Begins the next turn. The caller `last` has just had one, and goes behind all others. */
function handOn(last: string): void {
  const own = waiting.get(last);
  waiting.delete(last);
  if (own) waiting.set(last, own);
  const [[next, [begin, ...later]] = ['', []]] = waiting;
  if (later.length > 0) waiting.set(next, later);
  else waiting.delete(next);
  isDecoding = begin !== undefined;
  begin?.();
}
