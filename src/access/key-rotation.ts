import { randomUUID } from 'node:crypto';
import { chown, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { calculateJwkThumbprint, exportJWK, generateKeyPair, type JWK } from 'jose';
import { lockFolder, makeFolder } from '../database/embedded/storage/folder-lock.js';
import { type KeyFile, readKeyFile } from './key-file.js';

type Keys = KeyFile['keys'];

/** A new ES256 pair, whose `kid` is its thumbprint. None begins with a dash: `--retire` would take it for an option. */
export async function newKey(): Promise<JWK & { kid: string }> {
  const { privateKey } = await generateKeyPair('ES256', { extractable: true });
  const jwk = await exportJWK(privateKey);
  const kid = await calculateJwkThumbprint(jwk);
  return kid.startsWith('-') ? newKey() : { ...jwk, kid, alg: 'ES256', use: 'sig' };
}

/** Writes a key set into a draft that its owner alone can read. `place` puts it at the path: readers see the old set or the new. */
export async function writeKeySet(
  path: string,
  keys: readonly JWK[],
  place: (draft: string) => Promise<void>,
  draft = `${path}.${randomUUID()}`,
): Promise<void> {
  try {
    await writeFile(draft, JSON.stringify({ keys }, null, 2) + '\n', { mode: 0o600, flush: true });
    await place(draft);
  } catch (error) {
    // When a disk is full, Node.js does not say which path it wrote to, and the operator would look at another disk.
    throw Object.assign(error as Error, { path });
  } finally {
    await rm(draft, { force: true });
  }
}

/**
 * Puts a new key first in the file, which is made where there is none (Contract 12.1). @returns all ids, that of the new key first
 * @throws Error that names the file and the fault, FolderInUseError while another process changes a key file in its folder
 */
export async function rotateKey(path: string): Promise<string[]> {
  const key = await newKey();
  await makeFolder(dirname(path));
  return changeKeys(path, (keys) => [key, ...keys]);
}

/**
 * Takes a key out of the file (Contract 12.1). @returns the ids of the others
 * @throws Error where it is not there, or signs, and as {@link rotateKey}
 */
export async function retireKey(path: string, kid: string): Promise<string[]> {
  if ((await readKeys(path)).length === 0)
    throw new Error(`key file ${path}: there is none yet; npm run key makes it`);
  return changeKeys(path, (keys) => {
    if (!keys.some((key) => key.kid === kid))
      throw new Error(
        `key file ${path}: no key has the id ${kid}; it has ${keys.map((key) => key.kid).join(', ')}`,
      );
    if (keys[0]?.kid === kid)
      throw new Error(`key file ${path}: ${kid} is the key that signs; put a new one first with npm run key`);
    return keys.filter((key) => key.kid !== kid);
  });
}

/** The keys of the file, each with its id; none where there is no file. A set that the gateway would refuse is not written to. */
const readKeys = (path: string): Promise<Keys> =>
  readKeyFile(path).then(
    ({ keys }) => keys,
    (error: Error) => {
      if ((error.cause as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      return [];
    },
  );

/** Changes the file under a lock: of two processes that had both read it, the later would undo the other’s change. @returns all ids */
async function changeKeys(path: string, change: (keys: Keys) => Keys): Promise<string[]> {
  // If the path is a link, the file behind it is replaced and not the link, since others share that file.
  const file = await realpath(path).catch(() => path);
  const lock = await lockFolder(dirname(file), 'keys');
  try {
    // One name under the lock, so that private keys which a killed run left in its draft go with the next run.
    const draft = `${file}.draft`;
    await rm(draft, { force: true });
    const keys = change(await readKeys(path));
    const replaced = await stat(file).catch(() => null);
    const place = async () => {
      // Where root replaces the file, the gateway's user must stay its owner to read it. The mode lets its group do nothing.
      if (replaced !== null) await chown(draft, replaced.uid, -1);
      await rename(draft, file);
    };
    await writeKeySet(file, keys, place, draft);
    return keys.map(({ kid }) => kid);
  } finally {
    await lock.release();
  }
}
