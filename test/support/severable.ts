import { openTestDatabase, type TestDatabase } from './database.js';
import { createServer, connect as connectTo, type AddressInfo, type Socket } from 'node:net';

/** A TCP proxy that imitates network failures. */
export interface Severable {
  port: number;
  /** Cuts every connection. New connections are accepted but stay silent. */
  sever(): void;
  restore(): void;
  /** Lets the next command that contains all these words reach the server, and cuts the connection before the reply. */
  loseReplyTo(...words: string[]): void;
  /** Holds back every later command for this time, in ms. */
  delay(ms: number): void;
  close(): Promise<void>;
}

async function severable(target: { host: string; port: number }): Promise<Severable> {
  const sockets = new Set<Socket>();
  let isSevered = false;
  let lost: string[] | undefined;
  let delayMs = 0;
  const server = createServer((near) => {
    sockets.add(near);
    near.on('close', () => sockets.delete(near)).on('error', () => undefined);
    if (isSevered) return;
    const far = connectTo(target);
    sockets.add(far);
    far.on('close', () => sockets.delete(far)).on('error', () => near.destroy());
    near.on('data', (bytes: Buffer) => {
      const isLost = lost?.every((word) => bytes.includes(word)) ?? false;
      if (isLost) {
        lost = undefined;
        far.unpipe(near).once('data', () => far.destroy());
      }
      if (delayMs > 0) setTimeout(() => far.write(bytes), delayMs);
      else far.write(bytes);
    });
    far.pipe(near);
    near.on('end', () => far.end());
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
    restore: () => {
      isSevered = false;
      cut();
    },
    loseReplyTo: (...words) => {
      lost = words;
    },
    delay: (ms) => {
      delayMs = ms;
    },
    close: () => {
      cut();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

export interface SeverableDatabase extends TestDatabase {
  /** `uri` goes through this proxy; `connection` does not. */
  way: Severable;
}

export async function openSeverableDatabase(): Promise<SeverableDatabase> {
  const database = await openTestDatabase();
  const { host, hostname, port } = new URL(database.uri.replace('mongodb:', 'http:'));
  const way = await severable({ host: hostname, port: Number(port) });
  const uri = new URL(database.uri.replace(host, `127.0.0.1:${way.port}`));
  uri.searchParams.set('directConnection', 'true');
  return {
    ...database,
    uri: uri.href,
    way,
    close: async () => {
      await way.close();
      await database.close();
    },
  };
}
