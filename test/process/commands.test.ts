import { beforeEach, describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { runCallerCommand } from '../../src/cli/caller.js';
import { runDoctorCommand } from '../../src/cli/doctor.js';
import { runEraseCommand } from '../../src/cli/erase.js';
import { exportCommand } from '../../src/cli/export.js';
import { importCommand } from '../../src/cli/import.js';
import { runRevokeCommand } from '../../src/cli/revoke.js';
import { runSeedCommand } from '../../src/cli/seed.js';
import { describeDatabase } from '../../src/database/connect.js';
import { ownDatabase } from '../support/own-database.js';
import { ownFolders } from '../support/own-folder.js';
import { root } from '../support/process.js';

const { database } = ownDatabase();
const newFolder = ownFolders();
let folder: string;
let file: string;
const media = (publicId: string, template: string) =>
  `${JSON.stringify({ kind: 'media', public_id: publicId, name: 'M', job_url_template: template })}\n`;
beforeEach(async () => {
  folder = newFolder();
  file = join(folder, 'records.jsonl');
  await writeFile(file, media('good', 'https://jobs.example/{job}') + media('faulty', 'nowhere'));
});

const runExport = exportCommand(async () => undefined);
const runImport = importCommand(Readable.from([]));
const commands = {
  seed: (environment: NodeJS.ProcessEnv) => runSeedCommand([], environment),
  revoke: (environment: NodeJS.ProcessEnv) => runRevokeCommand(['--block', 'somebody'], environment),
  list: (environment: NodeJS.ProcessEnv) => runRevokeCommand(['--list'], environment),
  caller: (environment: NodeJS.ProcessEnv) => runCallerCommand(['somebody'], environment),
  erase: (environment: NodeJS.ProcessEnv) => runEraseCommand(['somebody@mail.example'], environment),
  export: (environment: NodeJS.ProcessEnv) => runExport([], environment),
  import: (environment: NodeJS.ProcessEnv) => runImport([file, '--on-fault=skip'], environment),
  doctor: (environment: NodeJS.ProcessEnv) => runDoctorCommand([], environment),
};

describe('the database of a command', () => {
  it.each(Object.entries(commands))('is named in the first line by %s (Contract 9.2.1)', async (_, run) => {
    const { stderr } = await run({ NODE_ENV: 'test', DATA_DIR: folder, MONGODB_URI: database.uri });
    expect(stderr.split('\n')[0]).toBe(describeDatabase({ mongodbUri: database.uri, dataDir: folder }));
  });

  it.each(['revoke', 'list', 'caller', 'erase', 'export'] as const)(
    'must be there: %s makes no store, and says where it looked',
    async (name) => {
      const data = join(folder, 'data');
      expect(await commands[name]({ NODE_ENV: 'test', DATA_DIR: data })).toEqual({
        exitCode: 2,
        stdout: '',
        stderr: `There is no database here: MONGODB_URI is not set, and ${data}, the folder of DATA_DIR, holds no built-in store. Run this with the settings of the gateway`,
      });
      expect(existsSync(data)).toBe(false);
    },
  );
});

it('a command as a process writes its result, its faults and its exit code (Contract 9.2.1)', async () => {
  const script = '"$NODE" dist/cli/import.js "$FILE"; echo "$?"';
  const { stdout, stderr } = await promisify(execFile)('bash', ['--norc', '-c', script], {
    cwd: root,
    env: { PATH: process.env.PATH, NODE: process.execPath, MONGODB_URI: database.uri, FILE: file },
  });
  expect(stdout).toMatch(/^nothing was written\n0 inserted, .* 1 faulty\n1\n$/);
  expect(stderr).toMatch(/^MongoDB at .*\n[^]*:2: job_url_template/);
});
