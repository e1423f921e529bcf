import { LogoWaitError } from './logo-errors.js';

/**
 * Ordinary pictures decode in a few hundredths of a second, the slowest in 5 or 6 s. If a picture has to wait this long, pictures
 * probably arrive faster than they can be decoded.
 */
const longestWaitMs = 5_000;

/** Waiting pictures by caller. The first caller in the map is next. */
const waiting = new Map<string, (() => void)[]>();
let isDecoding = false;

/**
 * Decodes one picture at a time: the worst WebP takes up to 750 MiB. Callers take turns, however many pictures each sends. A failed
 * decode does not block the next one.
 * @throws LogoWaitError if the turn does not come within 5 s; then `decode` never runs
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
      reject(new LogoWaitError('waited too long for other pictures to be decoded'));
    }, longestWaitMs);
    waiting.set(caller, [...(waiting.get(caller) ?? []), begin]);
  });
}

/** Starts the next turn. The caller `last` goes to the end of the queue. */
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
