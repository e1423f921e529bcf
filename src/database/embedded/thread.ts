import { Worker } from 'node:worker_threads';
import type { EmbeddedStore } from './server.js';

/** What the thread of the store tells: once that it started or could not, later that it had to stop. */
export type ThreadMessage =
  | { kind: 'started'; uri: string }
  | { kind: 'refused'; name: string; error: Error }
  | { kind: 'failed'; error: Error };

/** A store that runs beside the caller's own work. */
export interface EmbeddedStoreThread extends EmbeddedStore {
  /** Called when the store stopped by itself: the disk refused a write, or its thread ended. */
  onFailure(listener: (error: Error) => void): void;
}

/**
 * Starts the store in a thread of its own, so that a heavy query does not hold up the caller's event loop.
 * @throws an error of the name FolderInUseError or DamagedStoreError, as {@link startEmbeddedStore}
 */
export async function startEmbeddedStoreInThread(options: { folder: string }): Promise<EmbeddedStoreThread> {
  const worker = new Worker(new URL('./worker.js', import.meta.url), { workerData: options });
  const listeners = new Set<(error: Error) => void>();
  let isClosing = false;
  let failure: Error | undefined;
  const fail = (error: Error) => {
    if (isClosing || failure !== undefined) return;
    failure = error;
    for (const listener of listeners) listener(error);
  };
  const exited = new Promise<void>((resolve) => worker.once('exit', () => resolve()));

  const uri = await new Promise<string>((resolve, reject) => {
    worker.on('message', (message: ThreadMessage) => {
      if (message.kind === 'started') resolve(message.uri);
      else if (message.kind === 'failed') fail(message.error);
      // An error loses what is its own on its way between threads.
      else reject(Object.assign(message.error, { name: message.name, folder: options.folder }));
    });
    const end = (error: Error) => {
      reject(error);
      fail(error);
    };
    worker.once('error', end);
    worker.once('exit', (code) => end(new Error(`the thread of the built-in store ended with code ${code}`)));
  });

  return {
    uri,
    onFailure: (listener) => {
      listeners.add(listener);
      if (failure !== undefined) listener(failure);
    },
    close: async () => {
      isClosing = true;
      worker.postMessage('close');
      await exited;
    },
  };
}
