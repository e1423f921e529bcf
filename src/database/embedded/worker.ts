import { parentPort, workerData } from 'node:worker_threads';
import { type EmbeddedStoreOptions, startEmbeddedStore } from './server.js';
import type { ThreadMessage } from './thread.js';

/** The program of the thread. If the store can't start, the error ends the thread, and {@link startEmbeddedStoreInThread} rethrows it. */
const options = workerData as EmbeddedStoreOptions;

const tell = (message: ThreadMessage) => parentPort?.postMessage(message);

const store = await startEmbeddedStore({ ...options, onFailure: tell });
parentPort?.once('message', () => {
  void store.close().finally(() => parentPort?.close());
});
tell(store.uri);
