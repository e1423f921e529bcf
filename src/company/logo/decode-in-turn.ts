import PQueue from 'p-queue';
import { LogoWaitError } from './logo-errors.js';

/**
 * Ordinary pictures decode in a few hundredths of a second, the slowest in 5 or 6 s. If a picture has to wait this long, pictures
 * probably arrive faster than they can be decoded.
 */
const longestWaitMs = 5_000;

const decoder = new PQueue({ concurrency: 1 });
/** Only one picture of each caller is in the queue of all, so callers take turns. */
const queues = new Map<string, PQueue>();

function queueOf(caller: string): PQueue {
  const known = queues.get(caller);
  if (known) return known;
  const queue = new PQueue({ concurrency: 1 });
  queues.set(caller, queue);
  return queue.once('idle', () => queues.delete(caller));
}

/**
 * Decodes one picture at a time: the worst WebP takes up to 750 MiB. Callers take turns, however many pictures each sends.
 * @throws LogoWaitError if the turn does not come within 5 s; then `decode` never runs
 */
export function decodeInTurn<T>(caller: string, decode: () => Promise<T>): Promise<T> {
  const waiting = new AbortController();
  const { signal } = waiting;
  const timer = setTimeout(
    () => waiting.abort(new LogoWaitError('waited too long for other pictures to be decoded')),
    longestWaitMs,
  );
  const begin = async () => {
    clearTimeout(timer);
    return decode();
  };
  return queueOf(caller).add(() => decoder.add(begin, { signal }), { signal });
}
