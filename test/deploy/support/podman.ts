import { execFile, execFileSync } from 'node:child_process';
import { promisify } from 'node:util';

/** Whether a program is installed. Without it its tests are skipped, as those of a browser are. */
export const has = (program: string): boolean => {
  try {
    execFileSync('bash', ['-c', `command -v ${program}`]);
    return true;
  } catch {
    return false;
  }
};

/** podman with images and containers of its own under a folder, so that none of the machine's is touched. */
export const podmanIn = (folder: string) => {
  const program = ['podman', '--root', `${folder}/store`, '--runroot', `${folder}/run`];
  // Debian's other runtime, crun, refuses a machine with both kinds of cgroups.
  const options = [...program.slice(1), ...(has('runc') ? ['--runtime', 'runc'] : [])];
  return {
    /** The program and its options, for a script. */
    program,
    /** Runs podman, and answers what it wrote on standard output. */
    podman: async (...args: string[]): Promise<string> =>
      (await promisify(execFile)('podman', [...options, ...args], { maxBuffer: 1e8 })).stdout.trim(),
  };
};
