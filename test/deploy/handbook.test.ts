import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { root } from '../support/process.js';
import { type Installation, shareDatabase, withName } from '../reliability/support/installation.js';

const handbook = await readFile(join(root, 'deploy/README.md'), 'utf8');
const [, commands = ''] = /## Back-up and restore\n[^]*?```sh\n([^]*?)```/.exec(handbook) ?? [];

let source: Installation;
let folder: string;
beforeAll(async () => {
  source = await shareDatabase();
  folder = await mkdtemp(join(tmpdir(), 'gateway-handbook-'));
  for (const name of ['package.json', 'dist', 'schema', 'node_modules'])
    await symlink(join(root, name), join(folder, name));
});
afterAll(async () => {
  await source.connection.useDb('handbook_restored').dropDatabase();
  await source.remove();
  await rm(folder, { recursive: true, force: true });
});

describe('the back-up of the handbook', () => {
  it('is restored, whole, by the commands as they stand there (Contract 12.3)', async () => {
    const another = withName(source.uri, 'handbook_restored');
    const shell = async (script: string) =>
      promisify(execFile)('bash', ['-euo', 'pipefail', '-c', script], {
        cwd: folder,
        env: {
          ...process.env,
          ...source.environment,
          NODE_OPTIONS: '',
          MONGODB_URI: source.uri,
          ANOTHER_DATABASE: another,
        },
      });
    await shell(commands);
    const exported = 'npm run --silent export -- --with-history';
    const recordsOf = async (script: string) => (await shell(script)).stdout.trim().split('\n').sort();
    const before = await recordsOf(exported);
    expect(before.length).toBeGreaterThan(50);
    expect(await recordsOf(`MONGODB_URI="$ANOTHER_DATABASE" ${exported}`)).toEqual(before);
  });
});
