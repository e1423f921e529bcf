import { readdir, readFile } from 'node:fs/promises';
import { type Logger } from 'pino';

const everyMs = 10_000;
/** Of the limit. */
const fullShare = 0.8;

/**
 * Warns once when more than 80 % of the file descriptors that the process may open are in use: Node.js says nothing when it can't accept a
 * connection. Does nothing where there is no `/proc`.
 * @param limit default: the process's own
 * @returns a function that stops the checks
 */
export function watchDescriptors(log: Logger, limit = descriptorLimit()): () => void {
  let wasFull = false;
  const look = async () => {
    const most = await limit;
    const open = await readdir('/proc/self/fd').then(
      ({ length }) => length,
      // Reading the folder needs a descriptor, too.
      ({ code }: NodeJS.ErrnoException) => (code === 'EMFILE' ? most : 0),
    );
    const isFull = open > fullShare * most;
    if (isFull && !wasFull)
      log.error(
        { open, limit: most },
        'file descriptors run out: without one, no connection is accepted; raise LimitNOFILE or add processes',
      );
    wasFull = isFull;
  };
  void look();
  const timer = setInterval(() => void look(), everyMs).unref();
  return () => clearInterval(timer);
}

async function descriptorLimit(): Promise<number> {
  const limits = await readFile('/proc/self/limits', 'utf8').catch(() => '');
  return Number(/^Max open files +(\d+)/m.exec(limits)?.[1] ?? Infinity);
}
