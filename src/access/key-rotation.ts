import { randomUUID } from 'node:crypto';
import { chown, mkdir, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { calculateJwkThumbprint, exportJWK, generateKeyPair, type JWK } from 'jose';
import { type KeyFile, readKeyFile } from './key-file.js';

/** A new ES256 pair with its thumbprint for a `kid`; none that begins with a dash, which `--retire` would read as an option. */
export async function newKey(): Promise<JWK & { kid: string }> {
  const { privateKey } = await generateKeyPair('ES256', { extractable: true });
  const jwk = await exportJWK(privateKey);
  const kid = await calculateJwkThumbprint(jwk);
  return kid.startsWith('-') ? newKey() : { ...jwk, kid, alg: 'ES256', use: 'sig' };
}

/** Writes a key set for its owner only into a draft, which `place` puts at the path: readers see the old set or the new one. */
export async function writeKeySet(
  path: string,
  keys: readonly JWK[],
  place: (draft: string, path: string) => Promise<void>,
): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const draft = `${path}.${randomUUID()}`;
  try {
    await writeFile(draft, JSON.stringify({ keys }, null, 2) + '\n', {
      mode: 0o600,
      flush: true,
    });
    await place(draft, path);
  } finally {
    await rm(draft, { force: true });
  }
}

/**
 * Puts a new key first in the file, which is made where there is none (Contract 5.4). @returns all ids, that of the new key first
 * @throws Error that names the file and the fault
 */
export async function rotateKey(path: string): Promise<string[]> {
  const keys = [await newKey(), ...((await readKeys(path)) ?? [])];
  return writeKeys(path, keys);
}

/** Takes a key out of the file (Contract 5.4). @returns the ids of the others @throws Error where it is not there, or signs */
export async function retireKey(path: string, kid: string): Promise<string[]> {
  const keys = await readKeys(path);
  if (keys === null) throw new Error(`key file ${path}: there is none yet; npm run key makes it`);
  if (!keys.some((key) => key.kid === kid))
    throw new Error(
      `key file ${path}: no key has the id ${kid}; it has ${keys.map((key) => key.kid).join(', ')}`,
    );
  if (keys[0]?.kid === kid)
    throw new Error(`key file ${path}: ${kid} is the key that signs; put a new one first with npm run key`);
  return writeKeys(
    path,
    keys.filter((key) => key.kid !== kid),
  );
}

/** The keys of the file, each with its id; null where there is no file. A set that the gateway would refuse is not written to. */
async function readKeys(path: string): Promise<KeyFile['keys'] | null> {
  try {
    return (await readKeyFile(path)).keys;
  } catch (error) {
    if (((error as Error).cause as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** @returns the ids of the keys */
async function writeKeys(path: string, keys: KeyFile['keys']): Promise<string[]> {
  // If the path is a link, the file behind it is replaced and not the link, since others share that file.
  const file = await realpath(path).catch(() => path);
  const replaced = await stat(file).catch(() => null);
  await writeKeySet(file, keys, async (draft) => {
    // Where root replaces the file, the gateway's user must stay its owner to read it. The mode lets its group do nothing.
    if (replaced !== null) await chown(draft, replaced.uid, -1);
    await rename(draft, file);
  });
  return keys.map(({ kid }) => kid);
}
