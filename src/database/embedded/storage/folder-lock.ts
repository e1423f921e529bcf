import { randomUUID } from 'node:crypto';
import { closeSync, constants, openSync, realpathSync, renameSync, rmSync, statSync } from 'node:fs';
import { link, mkdir } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** Another process, or another user of the lock in this one, has the folder. */
export class FolderInUseError extends Error {
  override readonly name = 'FolderInUseError';

  constructor(folder: string) {
    super(`The folder ${folder} is in use by another process: run this again when that has ended.`);
  }
}

/** A lock on a folder. It ends with its process, however that ends. */
interface FolderLock {
  release(): Promise<void>;
}

/** The name of each lock in its folder. */
const lockFiles = { store: 'lock', keys: 'keys.lock' };

/**
 * Makes a folder and those above it, for their owner alone: their files hold keys and e-mail addresses. Node.js would try for
 * ever below /proc, which says that a new folder's parent is not there.
 */
export async function makeFolder(folder: string): Promise<void> {
  const parent = dirname(folder);
  if (parent !== folder && !statSync(parent, { throwIfNoEntry: false })) await makeFolder(parent);
  await mkdir(folder, 0o700).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST' || !statSync(folder).isDirectory()) throw error;
  });
}

/** Opens a file and locks it in one step, on macOS and the BSDs. Node.js has no constant for it. */
const O_EXLOCK = 0x20;

/**
 * The longest name that Linux allows. Node.js 20 fills every name up to this length with zeros and later versions do
 * not, so that with a shorter name two of them would share a folder, and lose its data.
 */
const abstractNameLength = 108;

/**
 * Takes the only lock on a folder for one use. The kernel holds it for the process and drops it when the process ends, so that a
 * killed process leaves no lock behind that somebody would have to remove.
 * @param use what is locked in the folder: locks of different uses do not exclude each other
 * @throws FolderInUseError when someone else has it
 */
export async function lockFolder(folder: string, use: keyof typeof lockFiles): Promise<FolderLock> {
  const file = lockFiles[use];
  const path = realpathSync(folder);
  // A folder keeps its device and inode under every name it is reached by.
  const { dev, ino } = statSync(path, { bigint: true });
  if (process.platform === 'linux') {
    const lock = await bindName(`\0gateway-${use}-${dev}-${ino}`.padEnd(abstractNameLength, '\0'), folder);
    try {
      const socket = await bindSocket(path, file, folder);
      return { release: async () => void (await Promise.all([socket.release(), lock.release()])) };
    } catch (error) {
      await lock.release();
      throw error;
    }
  }
  if (process.platform === 'win32') return bindName(`\\\\.\\pipe\\gateway-${use}-${dev}-${ino}`, folder);
  return lockFile(join(path, file), folder);
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

/** How long a process that takes over a lock waits for another that does so at the same time. */
const takeOverMs = 100;

/**
 * Binds a socket in the folder, too: containers that share a volume do not see each other's abstract names. One that
 * nobody listens on, of a process that was killed or in a copy of the folder, is taken over. Where the file system has
 * no sockets, nothing is bound.
 */
async function bindSocket(path: string, file: string, folder: string): Promise<FolderLock> {
  // By its descriptor, since the path of a socket has at most 107 bytes.
  const directory = openSync(path, 'r');
  const [lock = '', own = ''] = [file, `${file}-${randomUUID()}`].map(
    (name) => `/proc/self/fd/${directory}/${name}`,
  );
  const bound = await bindName(own, folder).catch(() => null);
  const mine = bound && statSync(own).ino;
  const isMine = () => statSync(lock, { throwIfNoEntry: false })?.ino === mine;
  const release = async () => {
    if (bound && isMine()) rmSync(lock);
    await bound?.release();
    rmSync(own, { force: true });
    closeSync(directory);
  };
  if (bound && (await link(own, lock).catch(() => false)) === false) {
    const isFree = !(await isListenedOn(lock));
    if (isFree) renameSync(own, lock);
    if (isFree) await sleep(takeOverMs);
    if (!isMine()) {
      await release();
      throw new FolderInUseError(folder);
    }
  }
  rmSync(own, { force: true });
  return { release };
}

function isListenedOn(path: string): Promise<boolean> {
  const socket = connect(path);
  return new Promise<boolean>((resolve) => {
    socket
      .once('connect', () => resolve(true))
      .once('error', ({ code }: NodeJS.ErrnoException) => {
        resolve(code !== 'ECONNREFUSED' && code !== 'ENOENT');
      });
  }).finally(() => socket.destroy());
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
