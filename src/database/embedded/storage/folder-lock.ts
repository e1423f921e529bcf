import { closeSync, constants, openSync, realpathSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';

/** Another process, or another store in this one, has the folder. */
export class FolderInUseError extends Error {
  override readonly name = 'FolderInUseError';

  constructor(readonly folder: string) {
    super(`The folder ${folder} is in use by another process. Stop it, or choose another DATA_DIR.`);
  }
}

/** A lock on a folder. It ends with its process, however that ends. */
interface FolderLock {
  release(): Promise<void>;
}

/** Opens a file and locks it in one step, on macOS and the BSDs. Node.js has no constant for it. */
const O_EXLOCK = 0x20;

/**
 * The longest name that Linux allows. Node.js 20 fills every name up to this length with zeros and later versions do
 * not, so that with a shorter name two of them would share a folder, and lose its data.
 */
const abstractNameLength = 108;

/**
 * Takes the only lock on a folder. The kernel holds it for the process and drops it when the process ends, so that a
 * killed process leaves no lock behind that somebody would have to remove.
 * @throws FolderInUseError when someone else has it
 */
export async function lockFolder(folder: string): Promise<FolderLock> {
  const path = realpathSync(folder);
  // A folder keeps its device and inode under every name it is reached by.
  const { dev, ino } = statSync(path, { bigint: true });
  if (process.platform === 'linux')
    return bindName(`\0gateway-store-${dev}-${ino}`.padEnd(abstractNameLength, '\0'), folder);
  if (process.platform === 'win32') return bindName(`\\\\.\\pipe\\gateway-store-${dev}-${ino}`, folder);
  return lockFile(join(path, 'lock'), folder);
}

/** Binds a name outside the file system: an abstract socket or a named pipe. Only one process can. */
function bindName(name: string, folder: string): Promise<FolderLock> {
  const server = createServer((socket) => socket.destroy());
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      reject(error.code === 'EADDRINUSE' ? new FolderInUseError(folder) : error);
    });
    server.listen(name, () => {
      // The lock alone is no reason to keep the process running.
      server.unref();
      resolve({ release: () => new Promise((released) => server.close(() => released())) });
    });
  });
}

function lockFile(path: string, folder: string): FolderLock {
  try {
    const { O_RDWR, O_CREAT, O_NONBLOCK } = constants;
    const file = openSync(path, O_RDWR | O_CREAT | O_NONBLOCK | O_EXLOCK, 0o600);
    return { release: async () => closeSync(file) };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw code === 'EAGAIN' || code === 'EWOULDBLOCK' ? new FolderInUseError(folder) : error;
  }
}
