import { connect as connectTo, createServer, type AddressInfo, type Socket } from 'node:net';

type Way = 'open' | 'silent' | 'refused';

/** A TCP proxy between the gateway and its database. */
export interface Proxy {
  port: number;
  connections(): number;
  /** `silent`: nothing arrives on any connection, old or new. `refused`: all connections break, and none can be made. */
  cut(how: 'silent' | 'refused'): void;
  restore(): void;
  /** Delays everything that the database sends. */
  delay(ms: number): void;
  /** If `isLost` returns true for a write, breaks the connection instead of passing on the reply. */
  loseReplies(isLost: () => boolean): void;
  close(): Promise<void>;
}

/** Every command that writes contains one of these names. */
const writes = ['findAndModify', 'update\0', 'insert\0', 'delete\0'];

export async function proxyTo(target: { host: string; port: number }): Promise<Proxy> {
  const pairs = new Set<{ near: Socket; far: Socket | null; isWriting: boolean }>();
  let way: Way = 'open';
  let delayMs = 0;
  let isLost = () => false;
  const server = createServer((near) => {
    if (way === 'refused') return near.destroy();
    const far = way === 'open' ? connectTo(target) : null;
    const pair = { near, far, isWriting: false };
    pairs.add(pair);
    const end = () => {
      near.destroy();
      far?.destroy();
      pairs.delete(pair);
    };
    for (const socket of [near, far]) socket?.on('error', end).on('close', end);
    near.on('data', (bytes) => {
      pair.isWriting = writes.some((name) => bytes.includes(name));
      if (way === 'open') far?.write(bytes);
    });
    far?.on('data', (bytes) => {
      const pass = () => {
        if (way === 'open') near.write(bytes);
      };
      if (pair.isWriting && isLost()) end();
      else if (delayMs > 0) setTimeout(pass, delayMs);
      else pass();
    });
    return near;
  });
  const breakAll = () => {
    for (const { near, far } of pairs) {
      near.resetAndDestroy();
      far?.destroy();
    }
  };
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    connections: () => pairs.size,
    cut: (how) => {
      way = how;
      if (how === 'refused') breakAll();
    },
    restore: () => {
      // The proxy has dropped data on these connections that nobody sends again.
      if (way === 'silent') breakAll();
      way = 'open';
    },
    delay: (ms) => (delayMs = ms),
    loseReplies: (given) => (isLost = given),
    close: () => {
      breakAll();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
