import { createServer, type AddressInfo, type Socket } from 'node:net';
import { connectionCommands } from './commands/connection.js';
import { Cursors } from './commands/cursors.js';
import { runCommand } from './commands/run-command.js';
import { Catalog } from './storage/catalog.js';
import { type Disk, openDisk } from './storage/disk.js';
import { lockFolder, makeFolder } from './storage/folder-lock.js';
import { type Answer, serveConnection } from './wire/connection.js';

/** How often expired documents and idle cursors are looked for, in milliseconds. */
const SWEEP_INTERVAL_MS = 1_000;
/** How many clients may be connected. A driver's pool is 100 at most by default. */
const MAX_CONNECTIONS = 1_000;

export interface EmbeddedStoreOptions {
  /** The folder that keeps the data, made if need be. */
  folder: string;
  /** Whether the file is written anew when the store closes, so that nothing of what was removed stays in it; default false. */
  isRewritten?: boolean;
  /** Called once when the disk refused a write. The store has then stopped, since its memory is ahead of the disk. */
  onFailure?: (error: Error) => void;
}

/** A running store. */
export interface EmbeddedStore {
  /** Where clients connect, without the name of a database. */
  uri: string;
  /** Stops answering, writes down what is left, and gives the folder free. */
  close(): Promise<void>;
}

/**
 * Starts a store on 127.0.0.1. It runs one command at a time, and answers a write when it is on the disk (see its README).
 * @throws FolderInUseError when another process has the folder, DamagedStoreError when it cannot be read whole, SlowStoreError
 * when it takes too long to read
 */
export async function startEmbeddedStore({
  folder,
  isRewritten,
  onFailure,
}: EmbeddedStoreOptions): Promise<EmbeddedStore> {
  await makeFolder(folder);
  const lock = await lockFolder(folder, 'store');
  try {
    const disk = await openDisk(folder);
    const close = () => disk.close(isRewritten).finally(() => lock.release());
    return await serve({ ...disk, close }, onFailure);
  } catch (error) {
    await lock.release();
    throw error;
  }
}

/** Starts a store on an open disk, which it closes with itself. @param onFailure called once when the disk refused a write */
export async function serve(disk: Disk, onFailure?: (error: Error) => void): Promise<EmbeddedStore> {
  const catalog = new Catalog(disk);
  const cursors = new Cursors();
  const sockets = new Set<Socket>();
  let hasFailed = false;

  const answer: Answer = async (request) => {
    let command = {};
    const reply = runCommand(() => (command = request.readCommand()), { catalog, cursors });
    // A heartbeat sees no document. If it waited too, a disk that is slow for a moment would pass for a store that is away.
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
    cursors.closeIdle();
    catalog.deleteExpired(new Date());
    void disk.flushed().catch(fail);
  }, SWEEP_INTERVAL_MS).unref();

  /** Closes every connection, so that what is not on the disk is not answered either. */
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
