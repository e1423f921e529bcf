import { Worker } from 'node:worker_threads';
import type { EmbeddedStore, EmbeddedStoreOptions } from './server.js';

/** What the thread tells: where clients connect, once the store has started; later, why it had to stop. */
export type ThreadMessage = string | Error;

/** A store that runs beside the caller's own work. */
export interface EmbeddedStoreThread extends EmbeddedStore {
  /** Resolves when the store stopped by itself: the disk refused a write, or its thread ended. */
  failure: Promise<Error>;
}

/** Starts the store in a thread of its own, so as not to hold up the caller. @throws as {@link startEmbeddedStore}, by name */
export async function startEmbeddedStoreInThread(
  options: Omit<EmbeddedStoreOptions, 'onFailure'>,
): Promise<EmbeddedStoreThread> {
  const worker = new Worker(new URL('./worker.js', import.meta.url), { workerData: options });
  const exited = new Promise<number>((resolve) => worker.once('exit', resolve));
  let isClosing = false;
  let closingFault: Error | undefined;
  let start!: (uri: string) => void;
  const started = new Promise<string>((resolve) => (start = resolve));
  const failure = new Promise<Error>((fail) => {
    worker.on('message', (message: ThreadMessage) => {
      if (typeof message === 'string') start(message);
      else if (isClosing) closingFault = message;
      else fail(message);
    });
    worker.once('error', fail);
    void exited.then((code) => {
      if (!isClosing) fail(new Error(`the thread of the built-in store ended with code ${code}`));
    });
  });
  const refused = failure.then((error) => {
    throw error;
  });

  return {
    uri: await Promise.race([started, refused]),
    failure,
    close: async () => {
      isClosing = true;
      worker.postMessage('close');
      await exited;
      if (closingFault) throw closingFault;
    },
  };
}
