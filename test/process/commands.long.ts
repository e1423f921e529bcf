import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import { MongoClient } from 'mongodb';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startEmbeddedStore } from '../../src/database/embedded/server.js';
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

describe('the database of a command', () => {
  const where = () => `the built-in store in ${join(folder, 'data')}`;
  const commands = {
    revoke: 'revoke.js --block somebody',
    list: 'revoke.js --list',
    caller: 'caller.js somebody',
    erase: 'erase.js somebody@mail.example',
    export: 'export.js',
    import: 'import.js "$F/good.jsonl"',
    seed: 'seed.js',
    doctor: 'doctor.js',
  };

  it('is named in the first line (Contract 9.2.1)', async () => {
    await run('seed.js');
    for (const command of Object.values(commands)) {
      const { stderr } = await run(command);
      expect([command, stderr.split('\n')[0]]).toEqual([command, where()]);
    }
  });

  it('is made by an import only where MONGODB_URI or DATA_DIR says where', async () => {
    const inFolder = `cd "$F"; ln -sfn "${root}dist" dist;`;
    const unset = await run('import.js good.jsonl', `${inFolder} unset DATA_DIR;`);
    expect([unset.stdout, unset.stderr]).toEqual(['2\n', expect.stringContaining(join(folder, '.data'))]);
    expect(existsSync(join(folder, '.data'))).toBe(false);
    const set = await run('import.js good.jsonl', `${inFolder} DATA_DIR=.data`);
    expect(set.stdout).toMatch(/^1 inserted/m);
    // Once it is there, the default folder will do.
    const again = await run('import.js good.jsonl', `${inFolder} unset DATA_DIR;`);
    expect(again.stdout).toMatch(/ 1 unchanged/);
  });
});

it('an import whose reader of standard error has gone, or reads nothing, ends', async () => {
  const faulty = Array.from({ length: 20_000 }, (_, index) => JSON.stringify(media(`m-${index}`, 'nowhere')));
  await writeFile(join(folder, 'many.jsonl'), faulty.join('\n'));
  for (const reader of ['head -1', 'sleep 5']) {
    const { stdout } = await run(`import.js "$F/many.jsonl" --on-fault skip 2> >(${reader} >/dev/null)`);
    expect(stdout).toMatch(/^0 inserted, 0 changed, 0 unchanged, 20000 faulty$/m);
  }
});

(existsSync('/dev/full') ? describe : describe.skip)(
  'a command whose output is lost (Contract 9.2.1)',
  () => {
    it.each([
      'key.js',
      'seed.js',
      'doctor.js',
      'erase.js somebody@mail.example',
      'import.js "$F/good.jsonl"',
      'export.js --help',
    ])('%s says that standard output cannot be written, and exits with 2', async (command) => {
      // An erasure needs a store.
      expect(await run(`${command} > /dev/full`, '"$NODE" dist/cli/seed.js >/dev/null 2>&1;')).toEqual({
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
  },
);

it('npm run import names TMPDIR when it cannot copy standard input, even if TMPDIR is in DATA_DIR (Contract 9.2.1)', async () => {
  expect(await run('import.js - < /dev/null', 'TMPDIR="$F/data/absent"')).toEqual({
    stdout: '2\n',
    stderr: expect.stringMatching(
      /^Standard input cannot be copied to .*absent, the folder of TMPDIR: ENOENT/,
    ),
  });
});

it('npm run import says what to do when it fills the disk of the built-in store (Contract 9.2.1)', async () => {
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

it('npm run revoke says that the gateway must be stopped first on the built-in store, and works once it is', async () => {
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

describe('npm run doctor (Contract 9.2.1)', () => {
  it('does not check the store until the gateway has stopped', async () => {
    const gateway = await startGatewayProcess({ DATA_DIR: join(folder, 'data') });
    const beside = await run('doctor.js', 'env -u JWT_KEY_FILE');
    expect(beside.stdout).toMatch(/^ok {4}database .*in use by a running process/m);
    expect(beside.stdout).toMatch(/^0$/m);
    expect(await gateway.end('SIGTERM')).toBe(0);

    const after = await run('doctor.js', 'env -u JWT_KEY_FILE');
    expect(after.stdout).not.toMatch(/^(warn|fail)/m);
    expect(after.stdout).toMatch(/^ok {4}data [^]*^0$/m);
  });

  it('from 50 000 records in the built-in store on, the start says that it is time for a MongoDB server', async () => {
    const message = 'it is time for a MongoDB server';
    const store = await startEmbeddedStore({ folder: join(folder, 'data') });
    const client = await new MongoClient(store.uri).connect();
    const ids = Array.from({ length: 50_000 }, (_, index) => `media-${index}`);
    const db = client.db('gateway');
    await db.collection('media').insertMany(ids.map((publicId) => ({ publicId })));
    await db.collection<{ _id: string }>('formats').insertOne({ _id: 'records', version: 3 } as never);
    await client.close();
    await store.close();
    const gateway = await startGatewayProcess({ DATA_DIR: join(folder, 'data') });
    expect(gateway.output()).toContain(message);
  });
});
