import { LogoWaitError } from './logo-errors.js';

/**
 * An ordinary picture is decoded in some hundredths of a second, the slowest in 4 s. One that waits for longer than this
 * stands in a queue that grows.
 */
const longestWaitMs = 5_000;

/** What each caller waits to decode, in order; the caller whose turn is next comes first. */
const waiting = new Map<string, (() => void)[]>();
let isDecoding = false;

/**
 * Runs `decode` when the decoder is free and it is the caller's turn, whether what was decoded before succeeded or not.
 * One at a time, since a decoder takes up to 600 MiB for the worst WebP, and several at once would exhaust the memory.
 * Callers take turns, however many pictures one of them has sent.
 * @throws LogoWaitError when its turn does not come within 5 s; then it never runs
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

/** Begins the next turn. The caller `last`, who has just had one, goes behind all others. */
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
