import { parentPort, workerData } from 'node:worker_threads';
import { startEmbeddedStore } from './server.js';
import type { ThreadMessage } from './thread.js';

/** The thread that {@link startEmbeddedStoreInThread} starts. */
const { folder } = workerData as { folder: string };

const tell = (message: ThreadMessage) => parentPort?.postMessage(message);

try {
  const store = await startEmbeddedStore({ folder, onFailure: (error) => tell({ kind: 'failed', error }) });
  parentPort?.once('message', () => {
    void store.close().then(() => parentPort?.close());
  });
  tell({ kind: 'started', uri: store.uri });
} catch (error) {
  tell({ kind: 'refused', name: (error as Error).name, error: error as Error });
  parentPort?.close();
}
