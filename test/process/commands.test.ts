import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { endAll, root, startGatewayProcess } from '../support/process.js';
import { ownFolders } from '../support/own-folder.js';

afterAll(endAll);

const newFolder = ownFolders();
let folder: string;
beforeEach(async () => {
  folder = newFolder();
  await writeFile(
    join(folder, 'good.jsonl'),
    `${JSON.stringify(media('good', 'https://jobs.example/{job}'))}\n`,
  );
  await writeFile(join(folder, 'faulty.jsonl'), `${JSON.stringify(media('faulty', 'nowhere'))}\n`);
});

const media = (publicId: string, template: string) => ({
  ...{ kind: 'media', public_id: publicId, name: 'M' },
  job_url_template: template,
});

const run = (command: string, before = '') =>
  promisify(execFile)(
    'bash',
    ['--norc', '-c', `${before} "$NODE" dist/cli/${command}; echo "\${PIPESTATUS[0]}"`],
    {
      cwd: root,
      env: {
        ...{ PATH: process.env.PATH, NODE: process.execPath, NODE_ENV: 'test' },
        NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
        ...{ DATA_DIR: join(folder, 'data'), JWT_KEY_FILE: join(folder, 'keys.json'), F: folder },
      },
    },
  );

(existsSync('/dev/full') ? describe : describe.skip)('a command whose output is lost (Contract 12.6)', () => {
  it.each([
    'key.js',
    'seed.js',
    'doctor.js',
    'erase.js somebody@mail.example',
    'import.js "$F/good.jsonl"',
    'export.js --help',
  ])('%s says that standard output cannot be written, and exits with 2', async (command) => {
    expect(await run(`${command} > /dev/full`)).toEqual({
      stdout: '2\n',
      stderr: expect.stringMatching(
        /^Standard output cannot be written: ENOSPC: no space left on device, write$/m,
      ),
    });
  });

  it('exits with its usual code if the reader of its output has gone', async () => {
    expect(await run('key.js | true')).toEqual({ stdout: '0\n', stderr: '' });
    const { stdout, stderr } = await run('import.js "$F/faulty.jsonl" | true');
    expect([stdout, stderr]).toEqual(['1\n', expect.not.stringContaining('EPIPE')]);
  });

  it.each(['2> /dev/full', '2> >(true)'])(
    'continues if only standard error is lost: %s',
    async (redirection) => {
      const { stdout } = await run(
        `import.js "$F/faulty.jsonl" "$F/good.jsonl" --on-fault skip ${redirection}`,
      );
      expect(stdout).toMatch(/^1 inserted, 0 changed, 0 unchanged, 1 faulty$[^]*^1$/m);
    },
  );
});

it('npm run import names TMPDIR when it cannot copy standard input, even if TMPDIR is in DATA_DIR (Contract 12.6)', async () => {
  expect(await run('import.js - < /dev/null', 'TMPDIR="$F/data/absent"')).toEqual({
    stdout: '2\n',
    stderr: expect.stringMatching(
      /^Standard input cannot be copied to .*absent, the folder of TMPDIR: ENOENT/,
    ),
  });
});

it('npm run import says what to do when it fills the disk of the built-in store (Contract 12.6)', async () => {
  const company = { kind: 'company', name: 'C', description: 'x'.repeat(5_000) };
  const lines = Array.from({ length: 500 }, (_, index) =>
    JSON.stringify({ ...company, public_id: `c-${index}`, name: `C ${index}` }),
  );
  await writeFile(join(folder, 'long.jsonl'), lines.join('\n'));
  const { stdout, stderr } = await run('import.js "$F/long.jsonl"', 'ulimit -f 1000;');
  expect([stdout, stderr]).toEqual([
    '2\n',
    expect.stringMatching(
      /^DATA_DIR .* cannot be used: .*free space on its disk, or choose another DATA_DIR$/m,
    ),
  ]);
});

it('npm run revoke says that the gateway must be stopped first on the built-in store, and works once it is (Contract 12.7.2)', async () => {
  const gateway = await startGatewayProcess({
    NODE_ENV: 'test',
    DATA_DIR: join(folder, 'data'),
    JWT_KEY_FILE: '',
  });
  const revoke = (argv: string) => run(`revoke.js ${argv}`, 'JWT_KEY_FILE=');
  expect(await revoke('--block somebody')).toEqual({
    stdout: '2\n',
    stderr: expect.stringMatching(/^The built-in store is in use: stop the gateway first/),
  });
  await gateway.end('SIGTERM');
  expect((await revoke('--block somebody')).stdout).toMatch(/^Cut off: every token of somebody/);
  expect((await revoke('--list')).stdout).toMatch(/every token of somebody\n0\n$/);
});
