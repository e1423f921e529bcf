import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { exportJWK, generateKeyPair, type JWK } from 'jose';
import { loadKeys, type Keys } from '../../src/tokens/keys.js';
import { createTokenVerifier } from '../../src/tokens/token-verifier.js';
import { signToken } from '../../src/tokens/token-signer.js';
import { parseSettings } from '../../src/settings/settings.js';
import { usualClaims } from '../support/tokens.js';
import { ownFolder } from '../support/own-folder.js';

const folder = ownFolder();

const settings = parseSettings({});
const clock = () => new Date();
const privateKey = async (alg: string, members: JWK = {}): Promise<JWK> => ({
  ...(await exportJWK((await generateKeyPair(alg, { extractable: true })).privateKey)),
  ...members,
});

async function fileOf(document: unknown): Promise<string> {
  const path = join(folder, `${Math.random()}.json`);
  await writeFile(path, typeof document === 'string' ? document : JSON.stringify(document));
  return path;
}

const loadFile = async (path: string) => loadKeys(parseSettings({ JWT_KEY_FILE: path, DATA_DIR: folder }));
const accepts = async (verifying: Keys, signing: Keys): Promise<boolean> => {
  const token = await signToken(signing, settings, usualClaims, new Date());
  const verify = createTokenVerifier({ keys: verifying, clock });
  return verify(`Bearer ${token}`).then(
    () => true,
    () => false,
  );
};

describe('the development key (Contract 3.1.3)', () => {
  it('is made once, readable by its owner only, and survives a restart', async () => {
    const dataDir = join(folder, 'not', 'there', 'yet');
    const first = await loadKeys(parseSettings({ DATA_DIR: dataDir }));
    const path = join(dataDir, 'development-key.json');
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    // The built-in store may keep files here too.
    expect((await stat(dataDir)).mode & 0o777).toBe(0o700);
    const text = await readFile(path, 'utf8');
    // The newline is for operators who add a key by hand.
    expect(text).toMatch(/\}\n$/);
    const { mtimeMs: madeAtMs } = await stat(dataDir);
    const second = await loadKeys(parseSettings({ DATA_DIR: dataDir }));
    expect(await readFile(path, 'utf8')).toBe(text);
    expect(await accepts(second, first)).toBe(true);
    // A start must work in a read-only folder.
    expect((await stat(dataDir)).mtimeMs).toBe(madeAtMs);
    expect(first.description).toBe(`the development key ${path}`);
  });

  it('is the same for all processes that start at once', async () => {
    const dataDir = join(folder, 'crowd');
    const all = await Promise.all(
      Array.from({ length: 20 }, () => loadKeys(parseSettings({ DATA_DIR: dataDir }))),
    );
    expect(new Set(all.map(({ signing }) => signing?.kid)).size).toBe(1);
    expect(await readdir(dataDir)).toEqual(['development-key.json']);
  });
});

describe('a key file (Contract 3.1.3)', () => {
  it.each([
    ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
  ])('may hold a key for %s, and tokens signed with the key are accepted (Contract 3.1.3)', async (alg) => {
    const keys = await loadFile(await fileOf({ keys: [await privateKey(alg, { alg })] }));
    expect(keys.signing?.alg).toBe(alg);
    expect(await accepts(keys, keys)).toBe(true);
  });

  it.each(['RS256', 'ES256', 'ES384', 'ES512', 'EdDSA'])(
    'may hold a key without alg, and then signs with %s',
    async (alg) => {
      const keys = await loadFile(await fileOf({ keys: [await privateKey(alg)] }));
      expect(keys.signing?.alg).toBe(alg);
      expect(await accepts(keys, keys)).toBe(true);
    },
  );

  it('signs with its first key, and verifies with every key until that key is removed', async () => {
    const [before, after] = [await privateKey('ES256'), await privateKey('ES384', { kid: 'after' })];
    const old = await loadFile(await fileOf({ keys: [before] }));
    const rotated = await loadFile(await fileOf({ keys: [after, before] }));
    const cleared = await loadFile(await fileOf({ keys: [after] }));
    expect(rotated.signing).toMatchObject({ kid: 'after', alg: 'ES384' });
    expect(await accepts(rotated, old)).toBe(true);
    expect(await accepts(cleared, old)).toBe(false);
    expect(await accepts(cleared, rotated)).toBe(true);
  });

  it('is read again when a token names a key added while the gateway runs', async () => {
    const path = await fileOf({ keys: [await privateKey('ES256')] });
    const running = await loadFile(path);
    await writeFile(path, JSON.stringify({ keys: [await privateKey('ES256')] }));
    expect(await accepts(running, await loadFile(path))).toBe(true);
  });

  it('stops the start when it is invalid, with a message that never quotes the file', async () => {
    const good = await privateKey('ES256', { kid: 'same' });
    const publicOnly = Object.fromEntries(Object.entries(good).filter(([name]) => name !== 'd'));
    const weak = { kty: 'RSA', n: 'AQAB', e: 'AQAB', d: 'AQAB' };
    const faults: [unknown, RegExp][] = [
      ['secret-secret', /: not JSON$/],
      [good, /not a JWK Set/],
      [{ keys: [good, null] }, /not a JWK Set/],
      [{ keys: [good, 'key'] }, /not a JWK Set/],
      [{ keys: [good, [good]] }, /not a JWK Set/],
      [{ keys: [] }, /first key must be a private key/],
      [{ keys: [publicOnly] }, /first key must be a private key/],
      [{ keys: [good, { kty: 'oct', k: 'c2VjcmV0', kid: 'b' }] }, /key 2 is not RSA/],
      [{ keys: [good, { ...weak, kid: 'b' }] }, /key 2 is not RSA/],
      [{ keys: [good, good] }, /two keys have the same kid/],
      [{ keys: [{ ...good, alg: 'HS256' }] }, /key 1 has an alg that is not one of RS256, /],
      [{ keys: [{ ...good, use: 'enc' }] }, /key 1 is not for signatures/],
      [{ keys: [{ ...good, key_ops: ['deriveKey'] }] }, /key 1 is not for signatures/],
      [{ keys: [{ ...good, x: 'AAAA' }] }, /key file/],
      [{ keys: [good, { ...publicOnly, x: 'AAAA', kid: 'b' }] }, /key file/],
    ];
    for (const [document, message] of faults)
      await expect(loadFile(await fileOf(document))).rejects.toThrow(message);
    await expect(loadFile(join(folder, 'absent.json'))).rejects.toMatchObject({
      name: 'KeyFileError',
      message: expect.stringMatching(/absent\.json.*ENOENT/),
    });
  });
});
