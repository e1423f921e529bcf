import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { URL } from 'node:url';

/** A tick of processor time: USER_HZ is 100 per second on every Linux that Node runs on. */
const tickMs = 10;

/** @param folder of a process or a thread in `/proc`. Undefined if it has ended */
function statOf(folder) {
  const stat = ifThere(() => readFileSync(`/proc/${folder}/stat`, 'utf8'));
  if (!stat) return undefined;
  const fields = stat.split(') ').at(-1).split(' ').map(Number);
  const [user, system, userOfEnded, systemOfEnded] = fields.slice(11);
  return {
    parent: fields[1],
    ownMs: (user + system) * tickMs,
    endedChildrenMs: (userOfEnded + systemOfEnded) * tickMs,
  };
}

/** User and system time so far, in steps of 10 ms: of a process with all its threads, or of one thread (`PID/task/TID`). */
export const processorMs = (folder) => statOf(folder).ownMs;

/**
 * A MongoDB server on this machine.
 * @param pids of its processes, separated by commas. Their child processes count too. Default: the process that listens on the port
 */
export function databaseServer(uri, pids) {
  const roots = pids?.split(',').map(Number) ?? [listenerOf(uri)];
  if (!roots.every(statOf)) throw new Error(`no process ${roots.join(' or ')}: correct --database-pid`);
  return {
    /** User and system time so far, in steps of 10 ms. */
    processorMs: () => {
      const stats = new Map(processes().map((pid) => [pid, statOf(pid)]));
      const isOfServer = (pid) => pid > 0 && (roots.includes(pid) || isOfServer(stats.get(pid)?.parent ?? 0));
      return [...stats]
        .filter(([pid, stat]) => stat && isOfServer(pid))
        .reduce((sum, [, { ownMs, endedChildrenMs }]) => sum + ownMs + endedChildrenMs, 0);
    },
  };
}

function listenerOf(uri) {
  const { hostname, port } = URL.canParse(uri) ? new URL(uri) : {};
  const inodes = ['localhost', '127.0.0.1', '[::1]'].includes(hostname)
    ? inodesListeningOn(Number(port || 27_017))
    : [];
  const sockets = new Set(inodes.map((inode) => `socket:[${inode}]`));
  const pid = processes().find((pid) =>
    names(`/proc/${pid}/fd`).some((name) =>
      sockets.has(ifThere(() => readlinkSync(`/proc/${pid}/fd/${name}`))),
    ),
  );
  if (pid) return pid;
  throw new Error(
    'no process on this machine is known to listen on the port of MONGODB_URI: name the processes of the database with --database-pid',
  );
}

const inodesListeningOn = (port) =>
  ['tcp', 'tcp6'].flatMap((protocol) =>
    (ifThere(() => readFileSync(`/proc/net/${protocol}`, 'utf8')) ?? '')
      .split('\n')
      .map((line) => line.trim().split(/\s+/))
      .filter(([, local, , state]) => state === listening && parseInt(local.split(':')[1], 16) === port)
      .map((fields) => fields[9]),
  );
/** TCP_LISTEN of the kernel. */
const listening = '0A';

const processes = () =>
  names('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number);

const names = (folder) => ifThere(() => readdirSync(folder)) ?? [];

/** Processes can end meanwhile, and some files belong to other users. */
function ifThere(read) {
  try {
    return read();
  } catch {
    return undefined;
  }
}
