import { randomUUID } from 'node:crypto';
import { closeSync, constants, openSync, realpathSync, renameSync, rmSync, statSync } from 'node:fs';
import { link, mkdir } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** Another process, or another caller in this process, has the lock. */
export class FolderInUseError extends Error {
  override readonly name = 'FolderInUseError';

  constructor(folder: string) {
    super(`The folder ${folder} is in use by another process: run this again when that process has ended.`);
  }
}

interface FolderLock {
  release(): Promise<void>;
}

const lockFiles = { store: 'lock', keys: 'keys.lock' };

/** Creates a folder, readable by its owner only, and its missing parents. Node.js's own recursive `mkdir` loops forever below /proc. */
export async function makeFolder(folder: string): Promise<void> {
  const parent = dirname(folder);
  if (parent !== folder && !statSync(parent, { throwIfNoEntry: false })) await makeFolder(parent);
  await mkdir(folder, 0o700).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST' || !statSync(folder).isDirectory()) throw error;
  });
}

/** On macOS and the BSDs, this flag makes `open` lock the file. Node.js has no constant for it. */
const O_EXLOCK = 0x20;

/**
 * The maximum length of an abstract socket's name. Node.js 20 pads names with zeros to this length, but later versions don't: with a
 * shorter name, processes on two Node.js versions could both lock one folder and lose its data.
 */
const abstractNameLength = 108;

/**
 * The kernel drops the lock when the process ends.
 * @param use locks with different uses don't exclude each other
 * @throws FolderInUseError
 */
export async function lockFolder(folder: string, use: keyof typeof lockFiles): Promise<FolderLock> {
  const file = lockFiles[use];
  const path = realpathSync(folder);
  // Device and inode identify the folder, whatever path leads to it.
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

/** Only one process can bind a name. */
function bindName(name: string, folder: string): Promise<FolderLock> {
  const server = createServer((socket) => socket.destroy());
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      reject(error.code === 'EADDRINUSE' ? new FolderInUseError(folder) : error);
    });
    server.listen(name, () => {
      // The lock must not keep the process running.
      server.unref();
      resolve({ release: () => new Promise((released) => server.close(() => released())) });
    });
  });
}

/** In ms: the wait before checking whether another process took over the lock too. */
const takeOverMs = 100;

/**
 * Also binds a socket in the folder: containers that share a volume don't see each other's abstract names. Takes over a socket that
 * nobody listens on: its process was killed, or the folder is a copy. Binds nothing if the file system has no sockets.
 */
async function bindSocket(path: string, file: string, folder: string): Promise<FolderLock> {
  // A socket's path is limited to 107 bytes, so use the folder's descriptor.
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
