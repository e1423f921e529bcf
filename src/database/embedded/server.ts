import { createServer, type AddressInfo, type Socket } from 'node:net';
import { connectionCommands } from './commands/connection.js';
import { Cursors } from './commands/cursors.js';
import { runCommand } from './commands/run-command.js';
import { Catalog } from './storage/catalog.js';
import { type Disk, openDisk } from './storage/disk.js';
import { lockFolder, makeFolder } from '../../folder/folder-lock.js';
import { type AnswerRequest, serveConnection } from './wire/connection.js';

const SWEEP_INTERVAL_MS = 1_000;
/** A driver's pool has at most 100 by default. */
const MAX_CONNECTIONS = 1_000;

export interface EmbeddedStoreOptions {
  /** Created if missing. */
  folder: string;
  /** Whether to complete all indexes first, two seconds for 100 000 jobs, so that no query waits for an index; default false. */
  hasCompleteIndexes?: boolean;
  /** Called once if a write to the disk fails. The store has stopped by then. */
  onFailure?: ((error: Error) => void) | undefined;
}

export interface EmbeddedStore {
  /** Without a database name. */
  uri: string;
  /** Stops answering, flushes pending writes, and unlocks the folder. */
  close(): Promise<void>;
}

/** See README.md for what the store guarantees. @throws FolderInUseError */
export async function startEmbeddedStore(options: EmbeddedStoreOptions): Promise<EmbeddedStore> {
  const { folder } = options;
  await makeFolder(folder);
  const lock = await lockFolder(folder, 'store');
  try {
    const disk = await openDisk(folder);
    const close = () => disk.close().finally(() => lock.release());
    return await serve({ ...disk, close }, options);
  } catch (error) {
    await lock.release();
    throw error;
  }
}

/** Closes the disk with the store. */
export async function serve(
  disk: Disk,
  { hasCompleteIndexes, onFailure }: Partial<Omit<EmbeddedStoreOptions, 'folder'>> = {},
): Promise<EmbeddedStore> {
  const catalog = new Catalog(disk);
  if (hasCompleteIndexes) catalog.completeIndexes();
  const cursors = new Cursors();
  const sockets = new Set<Socket>();
  let hasFailed = false;

  const answer: AnswerRequest = async (request) => {
    let command = {};
    const reply = runCommand(() => (command = request.readCommand()), { catalog, cursors });
    // Heartbeats read no documents, so they don't wait for the disk: a disk that is slow for a moment would look like an outage.
    const [name = ''] = Object.keys(command);
    if (!(name in connectionCommands)) await disk.flushed().catch(fail);
    return reply;
  };
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    void serveConnection(socket, answer);
  });
  server.maxConnections = MAX_CONNECTIONS;
  const sweep = setInterval(() => {
    catalog.deleteExpired(new Date());
    void disk.flushed().catch(fail);
  }, SWEEP_INTERVAL_MS).unref();

  /** Closes every connection without an answer, because the last writes are not on the disk. */
  function fail(error: Error): void {
    if (hasFailed) return;
    hasFailed = true;
    stop();
    onFailure?.(error);
  }

  function stop(): void {
    clearInterval(sweep);
    server.close();
    for (const socket of sockets) socket.destroy();
  }

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    uri: `mongodb://127.0.0.1:${port}/?directConnection=true`,
    close: async () => {
      stop();
      await disk.close();
    },
  };
}
