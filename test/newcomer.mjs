// Runs the commands of the README as written, in the clone that contains this file, and compares their output with the README. Needs
// port 4000 and the package registry, so it is a CI step and not part of the suite.
import { spawn } from 'node:child_process';
import { deepStrictEqual } from 'node:assert';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const startMinutes = 10;

const clone = join(import.meta.dirname, '..');
const dataDir = await mkdtemp(join(tmpdir(), 'newcomer-'));
const environment = { ...process.env, DATA_DIR: dataDir };
delete environment.MONGODB_URI;

async function shell(command, cwd) {
  const child = spawn('bash', ['-c', command], {
    cwd,
    env: environment,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.on('data', (text) => (output += text));
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`${command}\nended with ${code}`);
  return output;
}

// The encoding of a logo, and so its hash, differs between machines.
const withoutHash = (text) => text.replace(/\/logos\/[\da-f]{64}/g, '/logos/HASH');

const readme = await readFile(join(clone, 'README.md'), 'utf8');
const [, start] = /```sh\n(npm ci && npm start)\n```/.exec(readme);
const gateway = spawn('bash', ['-c', start], {
  cwd: clone,
  env: environment,
  stdio: 'ignore',
  detached: true,
});
try {
  const deadlineMs = Date.now() + startMinutes * 60_000;
  const isServing = () =>
    globalThis.fetch('http://127.0.0.1:4000/ready').then(
      ({ ok }) => ok,
      () => false,
    );
  while (!(await isServing())) {
    if (Date.now() > deadlineMs || gateway.exitCode !== null) throw new Error(`${start} does not serve`);
    await sleep(200);
  }
  let before = '';
  for (const [, command, answer] of readme.matchAll(
    /<!-- run -->\s+```sh\n([^]*?)```(?:\s+```json\n([^]*?)```)?/g,
  )) {
    // Later blocks use variables of earlier blocks, such as TOKEN.
    const output = await shell(before + command, clone);
    if (answer === undefined) before += command;
    else deepStrictEqual(JSON.parse(withoutHash(output)), JSON.parse(withoutHash(answer)));
  }
  process.stdout.write('the README shows what a newcomer sees\n');
} finally {
  if (gateway.exitCode === null) {
    process.kill(-gateway.pid, 'SIGTERM');
    await once(gateway, 'close');
  }
  await rm(dataDir, { recursive: true, force: true });
}
