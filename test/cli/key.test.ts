import { beforeEach, describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chown, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { exportJWK, generateKeyPair, type JWK } from 'jose';
import { runKeyCommand } from '../../src/cli/key.js';
import { newKey } from '../../src/tokens/key-rotation.js';
import { loadKeys } from '../../src/tokens/keys.js';
import { signToken } from '../../src/tokens/token-signer.js';
import { createTokenVerifier } from '../../src/tokens/token-verifier.js';
import { parseSettings } from '../../src/settings/settings.js';
import { importable, root } from '../support/process.js';
import { ownFolders } from '../support/own-folder.js';

const newFolder = ownFolders();
let folder: string;
let keyFile: string;
beforeEach(() => {
  folder = newFolder();
  keyFile = join(folder, 'private', 'keys.json');
});

const run = (...argv: string[]) => runKeyCommand(argv, { JWT_KEY_FILE: keyFile });
const storedKeys = async () => (JSON.parse(await readFile(keyFile, 'utf8')) as { keys: JWK[] }).keys;
const storedKids = async () => (await storedKeys()).map(({ kid }) => kid);

async function signNow() {
  const settings = parseSettings({ JWT_KEY_FILE: keyFile });
  return signToken(await loadKeys(settings), settings, { sub: 'me', lifetimeMs: 60_000 }, new Date());
}
async function isTaken(token: string): Promise<boolean> {
  const settings = parseSettings({ JWT_KEY_FILE: keyFile });
  const verify = createTokenVerifier({ keys: await loadKeys(settings), clock: () => new Date() });
  return verify(`Bearer ${token}`).then(
    () => true,
    () => false,
  );
}

it('the id of a new key cannot look like a command-line option', async () => {
  const keys = await Promise.all(Array.from({ length: 400 }, newKey));
  expect(keys.filter(({ kid }) => kid.startsWith('-'))).toEqual([]);
});

describe('npm run key (Contract 9.2.1)', () => {
  it('makes a key set that only its owner can read, and the gateway signs with it', async () => {
    const { stdout, stderr, exitCode } = await run();
    expect([stderr, exitCode]).toEqual(['', 0]);
    const [kid] = await storedKids();
    expect(stdout).toBe(`${keyFile}: ${kid} is new; ${kid} signs from the next start`);
    expect((await stat(keyFile)).mode & 0o777).toBe(0o600);
    expect(await isTaken(await signNow())).toBe(true);
  });

  it('in production, needs only the setting JWT_KEY_FILE', async () => {
    const { stderr } = await runKeyCommand([], { JWT_KEY_FILE: keyFile, NODE_ENV: 'production' });
    expect(stderr).toBe('');
    expect(await storedKids()).toHaveLength(1);
  });

  it('puts a new key first, and keeps the old keys until they are retired', async () => {
    await run();
    const [old = ''] = await storedKids();
    const oldToken = await signNow();
    await run();
    const { stdout } = await run();
    const [signing, between, kept] = await storedKids();
    expect(stdout).toBe(
      `${keyFile}: ${signing} is new; ${signing} signs from the next start; older keys, which verify until you retire them with npm run key -- --retire=KID: ${between}, ${kept}`,
    );
    expect(kept).toBe(old);
    expect(signing).not.toBe(old);
    expect(await isTaken(oldToken)).toBe(true);

    expect((await run(`--retire=${String(between)}`)).exitCode).toBe(0);
    expect(await run(`--retire=${String(old)}`)).toEqual({
      stdout: `${keyFile}: ${old} is removed, and stops working within 30 seconds; ${signing} signs from the next start`,
      stderr: '',
      exitCode: 0,
    });
    expect(await storedKids()).toEqual([signing]);
    expect(await isTaken(oldToken)).toBe(false);
    expect(await isTaken(await signNow())).toBe(true);
    expect((await stat(keyFile)).mode & 0o777).toBe(0o600);
  });

  it('identifies a key without an id by its thumbprint, and makes the key file private', async () => {
    keyFile = join(folder, 'keys.json');
    const { privateKey } = await generateKeyPair('ES256', { extractable: true });
    await writeFile(keyFile, JSON.stringify({ keys: [await exportJWK(privateKey)] }), { mode: 0o644 });
    const { stdout } = await run();
    const [, old = ''] = await storedKids();
    expect(stdout).toContain(old);
    expect((await stat(keyFile)).mode & 0o777).toBe(0o600);
    // A thumbprint may begin with a dash: without `=`, it would be read as an option.
    expect((await run(`--retire=${old}`)).exitCode).toBe(0);
  });

  it('prints a command that retires even a key whose id begins with a dash (Contract 9.2.1)', async () => {
    keyFile = join(folder, 'keys.json');
    const { privateKey } = await generateKeyPair('ES256', { extractable: true });
    const old = { ...(await exportJWK(privateKey)), kid: '-old' };
    await writeFile(keyFile, JSON.stringify({ keys: [old] }), { mode: 0o600 });
    const [advice = ''] = /--retire\S+(?=:)/.exec((await run()).stdout) ?? [];
    expect(await run(advice.replace('KID', '-old'))).toMatchObject({ exitCode: 0, stderr: '' });
    expect(await storedKids()).not.toContain('-old');
  });

  // Only root can change the owner of a file.
  (process.getuid?.() === 0 ? it : it.skip)('keeps the owner of the file', async () => {
    await run();
    await chown(keyFile, 65_534, 65_534);
    await run();
    const { uid, mode } = await stat(keyFile);
    expect([uid, mode & 0o777]).toEqual([65_534, 0o600]);
  });

  it('refuses to retire the signing key or an unknown key', async () => {
    await run();
    await run();
    const before = await readFile(keyFile, 'utf8');
    expect(before).toBe(`${JSON.stringify({ keys: await storedKeys() }, null, 2)}\n`);
    const [signing = '', older] = await storedKids();
    expect((await run(`--retire=${signing}`)).stderr).toMatch(/is the key that signs; .*npm run key/);
    expect((await run('--retire', 'nobody')).stderr).toContain(
      `no key has the id nobody; it has ${signing}, ${older}`,
    );
    expect(await readFile(keyFile, 'utf8')).toBe(before);
  });

  it('loses no key when several commands run at once: each adds its key, or says that the folder is in use', async () => {
    await run();
    const [signing = ''] = await storedKids();
    const results = await Promise.all(Array.from({ length: 6 }, () => run()));
    const made = results.flatMap(({ stdout }) => /: (\S+) is new;/.exec(stdout)?.[1] ?? []);
    expect((await storedKids()).sort()).toEqual([signing, ...made].sort());
    expect(made).not.toEqual([]);
    for (const { stderr, exitCode } of results)
      expect([
        [0, ''],
        [
          2,
          `The folder ${dirname(keyFile)} is in use by another process: run this again when that process has ended.`,
        ],
      ]).toContainEqual([exitCode, stderr]);
    expect(await readdir(dirname(keyFile))).toEqual(['keys.json']);
  });

  it('works after a run that held the lock was killed', async () => {
    await run();
    const killed = `process.chdir(process.argv[1]); require('net').createServer().listen('keys.lock', () => process.kill(process.pid, 'SIGKILL'))`;
    await promisify(execFile)(process.execPath, ['-e', killed, dirname(keyFile)]).catch(() => undefined);
    expect((await run()).stderr).toBe('');
    expect(await storedKids()).toHaveLength(2);
  });

  it('removes the temporary key file of a killed run', async () => {
    await run();
    const killed = `
      require('node:fs/promises').rename = () => process.kill(process.pid, 'SIGKILL');
      require('node:module').syncBuiltinESMExports();
      import(${importable(join(root, 'dist/tokens/key-rotation.js'))}).then(({ rotateKey }) => rotateKey(process.argv[1]));`;
    await promisify(execFile)(process.execPath, ['-e', killed, keyFile]).catch(() => undefined);
    const left = (await readdir(dirname(keyFile))).filter((name) => name.startsWith('keys.json.'));
    expect(left).toHaveLength(1);
    // Even a failed run removes the file.
    expect((await run('--retire', 'nobody')).exitCode).toBe(2);
    expect(await readdir(dirname(keyFile))).toEqual(['keys.json']);
    expect((await run()).stderr).toBe('');
    expect(await readdir(dirname(keyFile))).toEqual(['keys.json']);
    expect(await storedKids()).toHaveLength(2);
  });

  (existsSync('/proc/self') ? it : it.skip)(
    'names a folder that cannot be made, even where Node.js mkdir would never return',
    async () => {
      keyFile = '/proc/x/keys.json';
      expect(await run()).toMatchObject({ stderr: expect.stringMatching(/ENOENT.*\/proc\/x/), exitCode: 2 });
    },
  );

  it('says what it needs, and exits with 2 when it cannot run', async () => {
    expect(await runKeyCommand([], {})).toMatchObject({
      stdout: '',
      stderr: expect.stringMatching(/JWT_KEY_FILE is not set/),
      exitCode: 2,
    });
    expect((await run('--retire', 'nobody')).stderr).toMatch(
      /the file does not exist; create it with npm run key/,
    );
    keyFile = join(folder, 'broken.json');
    await writeFile(keyFile, 'not a key set');
    expect(await run()).toMatchObject({
      stderr: expect.stringMatching(/broken\.json: not JSON/),
      exitCode: 2,
    });
    expect(await readFile(keyFile, 'utf8')).toBe('not a key set');
    expect((await run('--help')).stdout).toMatch(
      /^Usage: npm run --silent key[^]*readable by its owner only[^]*--retire=KID +removes the key with this id instead/,
    );
  });
});
