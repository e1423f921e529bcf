import { createRequire } from 'node:module';
import { type Socket } from 'node:net';

interface DriverConnection {
  socket: Socket;
  closed: boolean;
  /** Called when the socket fails or closes. */
  cleanup: (this: DriverConnection, error: Error) => void;
}

const { resolve } = createRequire(import.meta.url);
// The driver that Mongoose uses, wherever it is installed.
const { Connection } = createRequire(resolve('mongoose'))('mongodb/lib/cmap/connection.js') as {
  Connection: { prototype: DriverConnection };
};

const { cleanup } = Connection.prototype;

/**
 * A command that the driver writes to a destroyed socket waits for `drain` or `error`, and gets neither; `socketTimeoutMS` no longer counts.
 * Such a command would never end, nor would the calls that wait for it. The driver can write it before the socket says that it is closed,
 * or after: it checks the connection some promises before it writes. They have settled when the immediate runs.
 */
Connection.prototype.cleanup = function (error) {
  if (this.closed) return;
  cleanup.call(this, error);
  setImmediate(() => {
    if (this.socket.listenerCount('drain') > 0) this.socket.emit('error', error);
  });
};
