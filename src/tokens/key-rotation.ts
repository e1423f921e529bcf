import { randomUUID } from 'node:crypto';
import { chown, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { calculateJwkThumbprint, exportJWK, generateKeyPair, type JWK } from 'jose';
import { lockFolder, makeFolder } from '../folder/folder-lock.js';
import { type KeyFile, readKeyFile } from './key-file.js';

type StoredKeys = KeyFile['keys'];

/** The `kid` never starts with a dash: after `--retire` it would look like an option. */
export async function newKey(): Promise<JWK & { kid: string }> {
  const { privateKey } = await generateKeyPair('ES256', { extractable: true });
  const jwk = await exportJWK(privateKey);
  const kid = await calculateJwkThumbprint(jwk);
  return kid.startsWith('-') ? newKey() : { ...jwk, kid, alg: 'ES256', use: 'sig' };
}

/** Only the owner can read the draft. `place` moves the draft to the path in one step. */
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
    // When a disk is full, Node.js does not name the file.
    throw Object.assign(error as Error, { path });
  } finally {
    await rm(draft, { force: true });
  }
}

/**
 * Adds a new key at the front, and creates the file if needed.
 * @returns all ids, the new id first
 * @throws Error that names the file and the fault, or FolderInUseError while another process changes a key file in the folder
 */
export async function rotateKey(path: string): Promise<string[]> {
  const key = await newKey();
  await makeFolder(dirname(path));
  return changeKeys(path, (keys) => [key, ...keys]);
}

/**
 * Removes a key.
 * @returns the remaining ids
 * @throws Error if the key is not in the file or is the key that signs, and the errors of {@link rotateKey}
 */
export async function retireKey(path: string, kid: string): Promise<string[]> {
  if ((await readKeys(path)).length === 0)
    throw new Error(`key file ${path}: the file does not exist; create it with npm run key`);
  return changeKeys(path, (keys) => {
    if (!keys.some((key) => key.kid === kid))
      throw new Error(
        `key file ${path}: no key has the id ${kid}; it has ${keys.map((key) => key.kid).join(', ')}`,
      );
    if (keys[0]?.kid === kid)
      throw new Error(`key file ${path}: ${kid} is the key that signs; first add a new key with npm run key`);
    return keys.filter((key) => key.kid !== kid);
  });
}

/** Empty if the file does not exist. Throws if the file is broken, so that nobody overwrites a broken file. */
const readKeys = (path: string): Promise<StoredKeys> =>
  readKeyFile(path).then(
    ({ keys }) => keys,
    (error: Error) => {
      if ((error.cause as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      return [];
    },
  );

/** Changes the file under a lock. @returns all ids */
async function changeKeys(path: string, change: (keys: StoredKeys) => StoredKeys): Promise<string[]> {
  // Replace the target of a symbolic link: other paths may share that file.
  const file = await realpath(path).catch(() => path);
  const lock = await lockFolder(dirname(file), 'keys');
  try {
    // A killed run leaves a draft with private keys. All drafts share one name, so the next run deletes it.
    const draft = `${file}.draft`;
    await rm(draft, { force: true });
    const keys = change(await readKeys(path));
    const replaced = await stat(file).catch(() => null);
    const place = async () => {
      // Root may run this command: keep the file's owner, or the gateway could not read the file.
      if (replaced !== null) await chown(draft, replaced.uid, -1);
      await rename(draft, file);
    };
    await writeKeySet(file, keys, place, draft);
    return keys.map(({ kid }) => kid);
  } finally {
    await lock.release();
  }
}
