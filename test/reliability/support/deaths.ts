import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { dist, importable, root } from '../../support/process.js';

const all = 'jobs companies departures history idempotency';
const patch = pathToFileURL(join(root, 'test/reliability/support/dying.mjs')).href;

/** Settings of a process that kills itself before or after a write. @param of the collections whose writes count */
export const dying = (at: number, of = all) => ({
  NODE_OPTIONS: `--import ${patch}`,
  DIE_AT: String(at),
  DIE_OF: of,
});

/**
 * Kills one process after another, each later in its writes, until one lives.
 * @param step 1 before and after each write; 2 only after each, which stores the same as before the next
 * @returns how many were killed
 */
export async function atEachMoment(
  step: 1 | 2,
  isKilledAt: (at: number) => Promise<boolean>,
): Promise<number> {
  let at: number = step;
  while (await isKilledAt(at)) at += step;
  return at / step - 1;
}

/** Waits for a process of Node.js. @returns whether it was killed @throws Error if it failed */
export async function isKilled(
  args: readonly string[],
  environment: Record<string, string>,
): Promise<boolean> {
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: { ...process.env, NODE_OPTIONS: '', ...environment },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const told = text(child.stderr);
  const [code, signal] = (await once(child, 'exit')) as [number | null, string | null];
  if (code !== 0 && signal !== 'SIGKILL') throw new Error(await told);
  return signal !== null;
}

/** Runs the hourly task of imports, and the one of archived jobs, as the gateway does. */
export const hourlyTask = [
  '--input-type=module',
  '-e',
  `
  import { createConnection } from 'mongoose';
  import { completeImportTask, removeArchivedJobsTasks } from ${importable(`${dist}/archiver/upkeep.tasks.js`)};
  import { modelsOf } from ${importable(`${dist}/models.js`)};
  const options = { autoIndex: false, autoCreate: false };
  const models = modelsOf(await createConnection(process.env.MONGODB_URI, options).asPromise());
  const run = { id: 'run', isStopping: () => false, renew: async () => undefined };
  const retentionMs = 30 * 86_400_000;
  await completeImportTask(models).run(run);
  for (const task of removeArchivedJobsTasks(models, () => new Date(), retentionMs)) await task.run(run);
  process.exit();
`,
];
