import { mkdir } from 'node:fs/promises';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { Catalog } from './catalog.js';
import { runCommand } from './command-table.js';
import type { BsonDocument } from './bson-document.js';
import { serveConnection } from './connection.js';
import { Cursors } from './cursors.js';
import { lockFolder } from './folder-lock.js';
import { noStorage, openStorage, type Storage } from './storage.js';
import { StoreError } from './store-error.js';
import { deleteExpired } from './ttl.js';
import type { WireRequest } from './wire-message.js';

/** How often expired documents are looked for, in milliseconds. */
const TTL_INTERVAL_MS = 1_000;
/** How many clients may be connected. A driver's pool is 100 at most by default. */
const MAX_CONNECTIONS = 1_000;

export interface EmbeddedStoreOptions {
  /** The folder that keeps the data, made if need be; null keeps them in memory only. */
  folder: string | null;
  /** A TCP port of 127.0.0.1. Default: any free one. */
  port?: number;
  /** Called once when the disk refused a write. The store has then stopped: its memory is ahead of the disk. */
  onFailure?: (error: Error) => void;
}

/** A running store. */
export interface EmbeddedStore {
  /** Where clients connect, without the name of a database. */
  uri: string;
  port: number;
  /** Stops answering, writes down what is left, and gives the folder free. */
  close(): Promise<void>;
}

/**
 * Starts a store that speaks MongoDB's wire protocol on 127.0.0.1. Each command runs to its end before the next,
 * and a write is answered when it is on the disk.
 * @throws FolderInUseError when another process has the folder
 */
export async function startEmbeddedStore(options: EmbeddedStoreOptions): Promise<EmbeddedStore> {
  const { folder, port = 0 } = options;
  if (folder === null) return serve(noStorage, port, options);
  await mkdir(folder, { recursive: true });
  const lock = await lockFolder(folder);
  try {
    const store = await serve(openStorage(folder), port, options);
    const close = async () => {
      await store.close();
      await lock.release();
    };
    return { ...store, close };
  } catch (error) {
    await lock.release();
    throw error;
  }
}

async function serve(
  storage: Storage,
  port: number,
  { onFailure }: EmbeddedStoreOptions,
): Promise<EmbeddedStore> {
  const catalog = Catalog.load(storage);
  const cursors = new Cursors();
  const sockets = new Set<Socket>();

  const answer = async (request: WireRequest): Promise<BsonDocument> => {
    const reply = execute(request);
    try {
      await storage.flushed();
    } catch (error) {
      fail(error as Error);
      throw error;
    }
    return reply;
  };

  const execute = (request: WireRequest): BsonDocument => {
    try {
      return runCommand(request.readCommand(), { catalog, cursors });
    } catch (error) {
      if (error instanceof StoreError) return error.reply;
      throw error;
    }
  };

  const server = createServer((socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    serveConnection(socket, answer);
  });
  server.maxConnections = MAX_CONNECTIONS;

  const sweep = setInterval(() => {
    cursors.closeIdle();
    deleteExpired(catalog, new Date());
    storage.flushed().catch(fail);
  }, TTL_INTERVAL_MS);
  sweep.unref();

  let hasFailed = false;
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

  await listen(server, port);
  const { port: boundPort } = server.address() as AddressInfo;
  return {
    uri: `mongodb://127.0.0.1:${boundPort}/?directConnection=true`,
    port: boundPort,
    close: async () => {
      stop();
      await storage.close();
    },
  };
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => resolve());
  });
}
