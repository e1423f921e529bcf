import { Worker } from 'node:worker_threads';
import type { EmbeddedStoreOptions } from './server.js';

/** The URI once the store has started, or the error that made the store stop. */
export type ThreadMessage = string | Error;

/** @throws the errors of {@link startEmbeddedStore}: their `name` survives the transfer between threads, their class doesn't */
export async function startEmbeddedStoreInThread(options: Omit<EmbeddedStoreOptions, 'onFailure'>) {
  const worker = new Worker(new URL('./worker.js', import.meta.url), { workerData: options });
  const exited = new Promise<number>((resolve) => worker.once('exit', resolve));
  let isClosing = false;
  let start!: (uri: string) => void;
  const started = new Promise<string>((resolve) => (start = resolve));
  const failure = new Promise<Error>((fail) => {
    worker.on('message', (message: ThreadMessage) => {
      if (typeof message === 'string') start(message);
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
    /** Resolves when the store stops on its own: a write to the disk failed, or the thread ended. */
    failure,
    close: async () => {
      isClosing = true;
      worker.postMessage('close');
      await exited;
    },
  };
}
