import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { mongo } from 'mongoose';
import { commandsOn, linesOf } from '../support/commands.js';
import { importable, root } from '../support/process.js';
import { job, ownImport, update } from './import-lines.js';

const { database, models, folder, importFiles, importLines, storedJob } = ownImport();

describe('npm run import', () => {
  describe('with a concurrent writer', () => {
    afterEach(() => void jest.restoreAllMocks());

    it('tries a line 25 times if another writer always changes the record first, then exits with 2 (Contract 9.2.1, 9.2.2)', async () => {
      // eslint-disable-next-line @typescript-eslint/unbound-method -- it is called on the collection below
      const { bulkWrite } = mongo.Collection.prototype;
      const writing = jest.spyOn(mongo.Collection.prototype, 'bulkWrite');
      writing.mockImplementation(async function (this: mongo.Collection, ...given) {
        await models.jobs.collection.updateOne(
          { publicId: 'acme-backend-engineer' },
          { $inc: { version: 1 } },
        );
        return bulkWrite.apply(this, given);
      });
      const { code, stdout, stderr } = await importLines([update({ salary: 'new' })]);
      expect([code, stdout]).toEqual([2, '']);
      expect(stderr).toMatch(/Other writers keep changing the same records: run the import again\.$/m);
      expect(writing).toHaveBeenCalledTimes(25);
      expect(await storedJob('acme-backend-engineer')).toMatchObject({ version: 26, pendingHistory: [] });
    });
  });

  it('exits with 2 if the write of a batch fails while the next batch is read (Contract 9.2.1)', async () => {
    const refusing = join(folder(), 'refusing.mjs');
    await writeFile(
      refusing,
      `import { Collection } from ${importable(join(root, 'node_modules/mongodb/lib/index.js'))};
      Collection.prototype.bulkWrite = async () => { throw new Error('refused'); };`,
    );
    const path = join(folder(), 'jobs.jsonl');
    await writeFile(path, linesOf(Array.from({ length: 1_001 }, (_, index) => job(`porter-${index}`))));
    const child = spawn(process.execPath, ['--import', refusing, join(root, 'dist/cli/import.js'), path], {
      env: { ...process.env, NODE_OPTIONS: '', MONGODB_URI: database.uri },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const [stderr, ended] = await Promise.all([text(child.stderr), once(child, 'exit')]);
    expect(ended).toEqual([2, null]);
    expect(stderr).toMatch(/^refused$/m);
  });

  it.each(['SIGINT', 'SIGKILL'] as const)(
    'leaves no copy of standard input in the temporary folder after %s',
    async (signal) => {
      const child = spawn(process.execPath, [join(root, 'dist/cli/import.js'), '-'], {
        env: { ...process.env, NODE_OPTIONS: '', MONGODB_URI: database.uri, TMPDIR: folder() },
        stdio: ['pipe', 'ignore', 'ignore'],
      });
      const ended = once(child, 'exit');
      // A pipe holds less than 4 MiB: once this text is written, the command has read most of it.
      await new Promise((written) => child.stdin.write(' '.repeat(4 * 1_048_576), written));
      expect(await readdir(folder())).toEqual([]);
      child.kill(signal);
      expect(await ended).toEqual([null, signal]);
      expect(await readdir(folder())).toEqual([]);
    },
  );

  it('exits with 2 and one sentence if it cannot run (Contract 9.2.1)', async () => {
    const outcome = async (...argv: string[]) => {
      const { code, stdout, stderr } = await importFiles(argv);
      expect([code, stdout]).toEqual([2, '']);
      return stderr;
    };
    expect(await outcome()).toMatch(/^Name a file, or - for standard input\.\n\nUsage:/);
    expect(await outcome('--on-fault', 'ignore', '-')).toMatch(/stop or skip, not "ignore"/);
    expect(await outcome('--kind', 'media', '-')).toMatch(/job or company, not "media"/);
    expect(await outcome(join(folder(), 'absent.jsonl'))).toMatch(/absent\.jsonl cannot be read: ENOENT/);
    expect(await outcome(join(folder(), 'jobs.csv'))).toMatch(/jobs\.csv is CSV: add --kind job/);
    expect(await outcome(folder())).toMatch(/ is not a file\.\n$/);
    const broken = join(folder(), 'broken.jsonl.gz');
    await writeFile(broken, gzipSync(linesOf([job('zipped')])).subarray(0, 40));
    expect(await outcome(broken)).toMatch(/broken\.jsonl\.gz cannot be read: unexpected end of file/);
    const away = await commandsOn('mongodb://127.0.0.1:1/gateway').importFiles(['-']);
    expect(away).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/ECONNREFUSED.*: start MongoDB there/),
    });
    expect((await importFiles(['--help'])).stdout).toMatch(/^Usage: npm run --silent import/);
  });
});
