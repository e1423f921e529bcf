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

export async function severable(target: { host: string; port: number }): Promise<Severable> {
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
