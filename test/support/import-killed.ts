import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from '@jest/globals';
import { type Models } from '../../src/models.js';
import { loseLease } from './lease.js';
import { commandsOn, linesOf } from './commands.js';
import { root } from './process.js';

/** Kills imports at random moments, then lets one finish, and expects the records and history of an undisturbed import. */
export async function expectImportSurvivesKills(
  { models, environment }: { models: Models; environment: Record<string, string> },
  { jobs, rounds }: { jobs: number; rounds: number },
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'import-killed-'));
  const job = (index: number, salary: string) => ({
    ...{
      kind: 'job',
      public_id: `killed-${index}`,
      media_public_id: 'demo-media',
      company_public_id: 'acme',
    },
    ...{ name: `Job ${index}`, salary, description_job: `<p>Number ${index}</p>` },
  });
  const before = join(folder, 'before.jsonl');
  const path = join(folder, 'jobs.jsonl');
  const numbers = Array.from({ length: jobs }, (_, index) => index);
  await writeFile(
    before,
    linesOf(numbers.filter((index) => index % 2 === 0).map((index) => job(index, 'old'))),
  );
  await writeFile(path, linesOf(numbers.map((index) => job(index, `new ${index}`))));
  const start = (...argv: string[]) =>
    spawn(process.execPath, [join(root, 'dist/cli/import.js'), ...argv], {
      env: { ...process.env, NODE_OPTIONS: '', ...environment },
      stdio: 'ignore',
    });
  // Only the timed run and the killed runs need their own process.
  const { importFiles } = commandsOn(environment.MONGODB_URI ?? '', environment);
  try {
    await importFiles([before]);
    const startedMs = performance.now();
    await once(start('--dry-run', path), 'exit');
    // A run that writes takes longer than a dry run.
    const longestMs = (performance.now() - startedMs) * 1.6;
    for (let round = 0; round < rounds; round += 1) {
      const child = start(path);
      await sleep(Math.random() * longestMs);
      const ended = child.exitCode === null ? once(child, 'exit') : null;
      child.kill('SIGKILL');
      await ended;
      await loseLease(models);
    }
    const { code, stderr } = await importFiles([path]);
    expect([code, code === 0 ? '' : stderr]).toEqual([0, '']);
    expect(await importFiles([path])).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(new RegExp(`^0 inserted, 0 changed, ${jobs} unchanged, 0 faulty$`, 'm')),
    });

    const stored = await models.jobs.find({ publicId: /^killed-/ }).lean();
    expect(stored).toHaveLength(jobs);
    const moved = await models.history.find({ record: { $in: stored.map(({ _id }) => _id) } }).lean();
    const entries = [...moved, ...stored.flatMap(({ pendingHistory }) => pendingHistory)];
    expect(entries).toHaveLength(Math.ceil(jobs / 2));
    for (const { publicId, salary, version } of stored) {
      const index = Number(publicId.split('-')[1]);
      expect([salary, version]).toEqual([`new ${index}`, index % 2 === 0 ? 2 : 1]);
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
