import { parentPort, workerData } from 'node:worker_threads';
import { startEmbeddedStore } from './server.js';
import type { ThreadMessage } from './thread.js';

/** The thread that {@link startEmbeddedStoreInThread} starts. An error of the start ends it, and is heard there. */
const { folder } = workerData as { folder: string };

const tell = (message: ThreadMessage) => parentPort?.postMessage(message);

const store = await startEmbeddedStore({ folder, onFailure: tell });
parentPort?.once('message', () => {
  void store.close().then(() => parentPort?.close());
});
tell(store.uri);
