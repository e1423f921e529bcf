import PQueue from 'p-queue';

interface Turns {
  longestWaitMs: number;
  /** The error of a task whose turn does not come in time. */
  late: () => Error;
  /** How many tasks of all callers run at the same time. */
  concurrency?: number;
}

/**
 * Returns a function that runs the tasks of each caller one after another. Only one task of each caller is in the queue of all, so callers
 * take turns, however many tasks each has. A task whose turn does not come in time never runs.
 */
export function turns({ longestWaitMs, late, concurrency = Infinity }: Turns) {
  const all = new PQueue({ concurrency });
  const queues = new Map<string, PQueue>();

  const queueOf = (caller: string): PQueue => {
    const known = queues.get(caller);
    if (known) return known;
    const queue = new PQueue({ concurrency: 1 });
    queues.set(caller, queue);
    return queue.once('idle', () => queues.delete(caller));
  };

  return <T>(caller: string, task: () => Promise<T>): Promise<T> => {
    const waiting = new AbortController();
    const { signal } = waiting;
    const timer = setTimeout(() => waiting.abort(late()), longestWaitMs);
    const begin = async () => {
      clearTimeout(timer);
      return task();
    };
    return queueOf(caller).add(() => all.add(begin, { signal }), { signal });
  };
}
