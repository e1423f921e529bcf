import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { chmodSync, cpSync, existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Document, MongoClient } from 'mongodb';
import { openDisk } from '../../src/database/embedded/storage/disk.js';
import { FolderInUseError } from '../../src/folder/folder-lock.js';
import { startEmbeddedStore } from '../../src/database/embedded/server.js';
import type * as thread from '../../src/database/embedded/thread.js';
import { importable, root } from '../support/process.js';
import { buildStore } from './embedded-build.js';
import { ownFolders } from '../support/own-folder.js';

/** Runs a program in its own network namespace, like a container. */
const apart = ['unshare', '-rn', 'sh', '-c', 'ip link set lo up && exec "$0" "$@"'];
const canBeApart = ((): boolean => {
  try {
    execFileSync('unshare', [...apart.slice(1), 'true'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();

let build: string;
const newFolder = ownFolders();

beforeAll(async () => {
  build = await buildStore();
});

afterAll(() => rmSync(build, { recursive: true, force: true }));

describe('folder of the built-in store', () => {
  it('is readable only by its owner if new, and keeps its mode if it exists', async () => {
    const folder = newFolder();
    const made = join(folder, 'not', 'there', 'yet');
    chmodSync(folder, 0o755);
    for (const each of [made, folder]) await (await startEmbeddedStore({ folder: each })).close();
    expect([made, folder].map((each) => statSync(each).mode & 0o777)).toEqual([0o700, 0o755]);
  });

  it('has files that only the owner may read', async () => {
    const folder = newFolder();
    const modes = () => ['data.mdb', 'lock.mdb'].map((name) => statSync(join(folder, name)).mode & 0o777);
    await (await startEmbeddedStore({ folder })).close();
    expect(modes()).toEqual([0o600, 0o600]);
  });

  it('keeps documents, their order and all indexes after a restart', async () => {
    const folder = newFolder();
    await withStore(folder, async (client) => {
      const docs = client.db('d').collection<Document>('docs');
      await docs.createIndex({ slug: 1 }, { unique: true });
      await docs.insertMany([{ slug: 'b', at: new Date(5) }, { slug: 'a', big: 2 ** 40 }, { slug: 'gone' }]);
      await docs.deleteOne({ slug: 'gone' });
      await docs.updateOne({ slug: 'b' }, { $set: { n: 1.5 } });
      await client.db('dropped').collection('docs').insertOne({});
      await client.db('dropped').dropDatabase();
    });
    await withStore(folder, async (client) => {
      const docs = client.db('d').collection<Document>('docs');
      expect(await docs.find({}, { projection: { _id: 0 } }).toArray()).toEqual([
        { slug: 'b', at: new Date(5), n: 1.5 },
        { slug: 'a', big: 2 ** 40 },
      ]);
      await expect(docs.insertOne({ slug: 'a' })).rejects.toMatchObject({ code: 11000 });
      await expect(client.db('dropped').collection('docs').indexes()).rejects.toMatchObject({ code: 26 });
    });
  });

  // With require(), LMDB parses the path of its own file as a URL, and every start after the first fails.
  it('opens again even if the path of the packages has special URL characters', async () => {
    const place = join(newFolder(), "Bob's C# (1) é 50%25");
    const copied = join(place, 'node_modules/.cache/store');
    cpSync(build, copied, { recursive: true });
    const names = new Set(['lmdb', 'bson']);
    for (const name of names) {
      const from = join(root, 'node_modules', name);
      if (!existsSync(from)) continue; // not installed: a binary for another platform
      cpSync(from, join(place, 'node_modules', name), { recursive: true });
      const { dependencies, optionalDependencies } = JSON.parse(
        readFileSync(join(from, 'package.json'), 'utf8'),
      ) as Record<string, Record<string, string> | undefined>;
      for (const needed of Object.keys({ ...dependencies, ...optionalDependencies })) names.add(needed);
    }
    const folder = newFolder();
    await (await startEmbeddedStore({ folder })).close();
    const { child, said } = await startProcess(folder, [], copied);
    child.kill();
    expect(said).toMatch(/^mongodb:/);
  });

  it('answers a command only once every write that it may have read is on the disk', async () => {
    const disk = await openDisk(newFolder());
    const answered: string[] = [];
    disk.records.put([1, 1], Buffer.from('seen'));
    const writing = disk.flushed().then(() => answered.push('the write'));
    await disk.flushed();
    answered.push('the read');
    await writing;
    await disk.close();
    expect(answered).toEqual(['the write', 'the read']);
  });

  it('loses no acknowledged write when the process is killed (Contract 9.3.6)', async () => {
    const folder = newFolder();
    for (let round = 0; round < 3; round++) {
      const { child, said: uri } = await startProcess(folder);
      const acknowledged = new Set<string>();
      const client = await new MongoClient(uri, { serverSelectionTimeoutMS: 500 }).connect();
      const docs = client.db('d').collection<{ _id: string; n: number }>('docs');
      const writers = Array.from({ length: 8 }, async (_, writer) => {
        for (let serial = 0; ; serial++) {
          const _id = `${round}-${writer}-${serial}`;
          await docs.insertOne({ _id, n: 0 });
          await docs.updateOne({ _id }, { $inc: { n: 1 } });
          acknowledged.add(_id);
        }
      });
      // Kill the process in the middle of its writes, even on a slow disk.
      do await sleep(300);
      while (acknowledged.size < 20);
      const exited = once(child, 'exit');
      child.kill('SIGKILL');
      await Promise.allSettled([...writers, exited]);
      await client.close();
      await withStore(folder, async (reader) => {
        const kept = await reader.db('d').collection<Document>('docs').find({ n: 1 }).toArray();
        const found = new Set(kept.map(({ _id }) => String(_id)));
        expect([...acknowledged].filter((id) => !found.has(id))).toEqual([]);
      });
    }
  });

  it('is locked against a second store until the first store is closed or killed', async () => {
    const folder = newFolder();
    const { child } = await startProcess(folder);
    await expect(startEmbeddedStore({ folder })).rejects.toThrow(FolderInUseError);
    await expect(startEmbeddedStore({ folder })).rejects.toThrow(`${folder} is in use`);
    child.kill('SIGKILL');
    await once(child, 'exit');
    const store = await startEmbeddedStore({ folder });
    await expect(startEmbeddedStore({ folder })).rejects.toThrow(FolderInUseError);
    await store.close();
    await (await startEmbeddedStore({ folder })).close();
  });

  (canBeApart ? it : it.skip)(
    'is locked against a store in a second container until the first store is closed or killed',
    async () => {
      const folder = join(newFolder(), 'long'.repeat(40));
      const { child } = await startProcess(folder, apart);
      expect((await startProcess(folder, apart)).said).toBe('FolderInUseError');
      await expect(startEmbeddedStore({ folder })).rejects.toThrow(FolderInUseError);
      child.kill('SIGKILL');
      await once(child, 'exit');
      const two = await Promise.all([startProcess(folder, apart), startProcess(folder, apart)]);
      expect(two.map(({ said }) => said).sort()).toEqual([
        'FolderInUseError',
        expect.stringContaining('mongodb:'),
      ]);
      for (const { child } of two) {
        if (child.exitCode !== null) continue;
        child.kill('SIGKILL');
        await once(child, 'exit');
      }
      const store = await startEmbeddedStore({ folder });
      expect(readdirSync(folder).sort()).toEqual(['data.mdb', 'lock', 'lock.mdb']);
      await store.close();
      expect(readdirSync(folder).sort()).toEqual(['data.mdb', 'lock.mdb']);
    },
  );

  const onLinux = process.platform === 'linux' ? it : it.skip;
  onLinux('is locked by a socket name of 108 bytes, which every Node.js version binds alike', async () => {
    const folder = newFolder();
    const store = await startEmbeddedStore({ folder });
    const [, name = ''] =
      new RegExp(`(@gateway-store-\\d+-${statSync(folder).ino}@*)$`, 'm').exec(
        readFileSync('/proc/net/unix', 'latin1'),
      ) ?? [];
    expect(name).toHaveLength(108);
    await store.close();
  });
});

describe('store in a worker thread', () => {
  it('answers commands, and reports a folder in use', async () => {
    const folder = newFolder();
    const { startEmbeddedStoreInThread } = (await import(
      pathToFileURL(join(build, 'database/embedded/thread.js')).href
    )) as typeof thread;
    const store = await startEmbeddedStoreInThread({ folder });
    await withClient(store.uri, async (client) => {
      await client.db('d').collection('docs').insertOne({ a: 1 });
      expect(await client.db('d').collection('docs').countDocuments({ a: 1 })).toBe(1);
    });
    await expect(startEmbeddedStoreInThread({ folder })).rejects.toMatchObject({
      name: 'FolderInUseError',
      message: expect.stringContaining(folder),
    });
    await store.close();
    await (await startEmbeddedStoreInThread({ folder })).close();
  });
});

/** Starts a store in its own process. `said` is the URI, or the name of the error. */
async function startProcess(
  folder: string,
  wrapper: readonly string[] = [],
  built = build,
): Promise<{ child: ChildProcess; said: string }> {
  const program = `const { startEmbeddedStore } = await import(${importable(join(built, 'database/embedded/server.js'))});
    const start = startEmbeddedStore({ folder: ${JSON.stringify(folder)} });
    console.log(await start.then(({ uri }) => uri, ({ name }) => name));`;
  const [command = '', ...args] = [...wrapper, process.execPath, '--input-type=module', '--eval', program];
  const child = spawn(command, args, {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, NODE_OPTIONS: '' },
  });
  const [said] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  return { child, said };
}

async function withClient(uri: string, use: (client: MongoClient) => Promise<void>): Promise<void> {
  const client = await new MongoClient(uri).connect();
  await use(client).finally(() => client.close());
}

/** Opens the store of a folder for a client, and closes it. */
async function withStore(folder: string, use: (client: MongoClient) => Promise<void>): Promise<void> {
  const store = await startEmbeddedStore({ folder });
  await withClient(store.uri, use);
  await store.close();
}
