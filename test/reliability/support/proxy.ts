import { connect as connectTo, createServer, type AddressInfo, type Socket } from 'node:net';

/** How the way to the database is. */
type Way = 'open' | 'silent' | 'refused';

/** A TCP proxy between the gateway and its database, which a test can cut, slow down and mend. */
export interface Proxy {
  port: number;
  /** How many connections it has from the gateway. */
  connections(): number;
  /** `silent`: nothing more is heard on any connection, old or new. `refused`: all break, and none can be made. */
  cut(how: 'silent' | 'refused'): void;
  mend(): void;
  /** Holds back whatever the database says for so long. */
  delay(ms: number): void;
  /** Breaks the connection of a write that the database has answered, instead of handing on the reply, when told to. */
  loseReplies(isLost: () => boolean): void;
  close(): Promise<void>;
}

/** How the commands that write are named in what is sent. */
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
    mend: () => {
      // What was lost on the way stays lost: the connections of the silence are of no more use.
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
