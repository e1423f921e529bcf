import { openTestDatabase } from './database.js';
import { createServer, connect as connectTo, type AddressInfo, type Socket } from 'node:net';

/** A way to a TCP server that a test can cut and mend, as a network does. */
export interface Severable {
  /** The port that leads to the server. */
  port: number;
  /** Cuts every connection; new ones are taken, and then nothing is heard. */
  sever(): void;
  mend(): void;
  close(): Promise<void>;
}

async function severable(target: { host: string; port: number }): Promise<Severable> {
  const sockets = new Set<Socket>();
  let isSevered = false;
  const server = createServer((near) => {
    sockets.add(near);
    near.on('close', () => sockets.delete(near)).on('error', () => undefined);
    if (isSevered) return;
    const far = connectTo(target);
    sockets.add(far);
    far.on('close', () => sockets.delete(far)).on('error', () => near.destroy());
    near.pipe(far).pipe(near);
  });
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    sever: () => {
      isSevered = true;
      cut();
    },
    mend: () => {
      isSevered = false;
      cut();
    },
    close: () => {
      cut();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

/** A test database that is reached over a way which can be cut. */
export interface SeverableDatabase {
  /** Leads to the database over the way. */
  uri: string;
  way: Severable;
  close(): Promise<void>;
}

export async function openSeverableDatabase(): Promise<SeverableDatabase> {
  const database = await openTestDatabase();
  const { host, hostname, port } = new URL(database.uri.replace('mongodb:', 'http:'));
  const way = await severable({ host: hostname, port: Number(port) });
  const uri = new URL(database.uri.replace(host, `127.0.0.1:${way.port}`));
  uri.searchParams.set('directConnection', 'true');
  return {
    uri: uri.href,
    way,
    close: async () => {
      await way.close();
      await database.close();
    },
  };
}
