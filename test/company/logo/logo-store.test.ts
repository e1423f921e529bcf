import { createHash, randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createConnection, mongo } from 'mongoose';
import { removeOrphanLogosTask } from '../../../src/archiver/upkeep.tasks.js';
import { type LogoImage } from '../../../src/company/logo/logo-image.js';
import { LogoStore } from '../../../src/company/logo/logo-store.js';
import { modelsOf } from '../../../src/models.js';
import { openSeverableDatabase, type SeverableDatabase } from '../../support/severable.js';

const HOUR_MS = 3_600_000;
const START = new Date('2026-03-01T12:00:00.000Z');

let database: SeverableDatabase;
let now: Date;
let store: LogoStore;

const files = () => database.connection.collection('logos.files');
const chunks = () => database.connection.collection('logos.chunks');
const never = async () => false;
const always = async () => true;

function image(size = 700_000, bytes = randomBytes(size)): LogoImage {
  return { bytes, contentType: 'image/png', hash: createHash('sha256').update(bytes).digest('hex') };
}

async function isStored(logo: LogoImage): Promise<boolean> {
  const file = await store.open(logo.hash);
  return file !== null && (await buffer(file.stream)).equals(logo.bytes);
}

beforeAll(async () => {
  database = await openSeverableDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
  now = START;
  store = new LogoStore(database.connection, () => now);
  await files().deleteMany({});
  await chunks().deleteMany({});
});

describe('LogoStore', () => {
  it.each([1, 255 * 1_024, 255 * 1_024 + 1, 700_000, 3 * 255 * 1_024])(
    'returns %d bytes unchanged',
    async (size) => {
      const logo = image(size);
      await store.put(logo);
      const file = await store.open(logo.hash);
      expect(file).toMatchObject({ contentType: 'image/png', length: size });
      expect(await isStored(logo)).toBe(true);
    },
  );

  it('returns null for a logo that was never put', async () => {
    expect(await store.open(image(10).hash)).toBeNull();
  });

  it('stores equal content once, even in parallel puts', async () => {
    const logo = image();
    const another = new LogoStore(database.connection, () => now);
    await Promise.all(Array.from({ length: 20 }, (_, index) => (index % 2 ? store : another).put(logo)));
    await store.put(logo);
    expect(await files().countDocuments({})).toBe(1);
    expect(await chunks().countDocuments({})).toBe(3);
    expect(await isStored(logo)).toBe(true);
  });

  it('stores a logo whose earlier upload died halfway, and later removes the remains', async () => {
    const logo = image();
    const dead = mongo.ObjectId.createFromTime(START.getTime() / 1_000 - 7_200);
    await chunks().insertOne({ files_id: dead, n: 1, data: randomBytes(10) });
    await store.put(logo);
    expect(await isStored(logo)).toBe(true);
    expect(await store.removeOrphans(always, HOUR_MS)).toBe(1);
    expect(await chunks().countDocuments({ files_id: dead })).toBe(0);
    expect(await isStored(logo)).toBe(true);
  });

  it.each([
    ['file', ['logos.files', 'chunkSize']],
    ['chunk', ['insert', 'logos.chunks']],
  ])(
    'stores the whole logo in a second put if the first put lost the reply to writing a %s (Contract 6.1.3)',
    async (_, words) => {
      const logo = image();
      const waits = { socketTimeoutMS: 2_000, retryWrites: false };
      const cut = await createConnection(database.uri, waits).asPromise();
      try {
        const behindCut = new LogoStore(cut, () => now);
        await behindCut.put(image(10));
        database.way.loseReplyTo(...words);
        await expect(behindCut.put(logo)).rejects.toThrow();
      } finally {
        await cut.close();
      }
      expect(await store.open(logo.hash)).toBeNull();
      await store.put(logo);
      expect(await isStored(logo)).toBe(true);
    },
  );

  it.each([[[0]], [[2]], [[0, 1, 2]]])(
    'finds no logo without its chunks %j until it is put again',
    async (lacking) => {
      const logo = image();
      await store.put(logo);
      await chunks().deleteMany({ n: { $in: lacking } });
      expect(await store.open(logo.hash)).toBeNull();
      await store.put(logo);
      expect(await isStored(logo)).toBe(true);
      expect(await files().countDocuments({})).toBe(1);
    },
  );
});

describe('LogoStore removal of unused logos', () => {
  const later = () => void (now = new Date(now.getTime() + HOUR_MS + 1));

  it('keeps a logo that an update puts again during the removal (Contract 9.2.8)', async () => {
    const logo = image();
    await store.put(logo);
    later();
    const putMeanwhile = async () => {
      await store.put(logo);
      return false;
    };
    expect(await store.removeOrphans(putMeanwhile, HOUR_MS)).toBe(0);
    expect(await isStored(logo)).toBe(true);
  });

  it('keeps a logo between its put and the write of its record (Contract 9.2.8)', async () => {
    const logo = image();
    await store.put(logo);
    later();
    await store.put(logo);
    expect(await store.removeOrphans(never, HOUR_MS)).toBe(0);
    expect(await isStored(logo)).toBe(true);
  });

  it('never loses the logo of a record while many updates switch logos (Contract 9.2.8)', async () => {
    const logos = [image(300_000), image(10), image(10)];
    const records = new Map<number, string>();
    const isUsed = async (hash: string) => [...records.values()].includes(hash);
    const begun = new Map<number, number>();
    const lost: string[] = [];
    const change = async (company: number, round: number) => {
      const logo = logos[(company * 7 + round * (company + 1)) % logos.length] ?? image(10);
      begun.set(company, now.getTime());
      await store.put(logo);
      records.set(company, logo.hash);
      begun.delete(company);
      if (!(await store.open(logo.hash))) lost.push(`of company ${company} in round ${round}`);
    };
    /** Half an hour passes, but no running update gets older than an hour: the store relies on shorter updates. */
    const letTimePass = () => {
      now = new Date(Math.min(now.getTime() + HOUR_MS / 2, ...[...begun.values()].map((at) => at + HOUR_MS)));
    };
    await Promise.all(
      Array.from({ length: 6 }, async (_, company) => {
        for (let round = 0; round < 25; round++) {
          await change(company, round);
          if (round % 8 === 0) letTimePass();
          if (round % 4 === 0) await store.removeOrphans(isUsed, HOUR_MS);
        }
      }),
    );
    expect(lost).toEqual([]);
    later();
    await store.removeOrphans(isUsed, HOUR_MS);
    for (const logo of logos) expect(await isStored(logo)).toBe(await isUsed(logo.hash));
  });

  it('removes only unused logos older than the given age (Contract 9.2.8)', async () => {
    const [unused, used, younger, putAgain] = [image(), image(), image(), image()];
    for (const logo of [unused, used, putAgain]) await store.put(logo);
    now = new Date(START.getTime() + HOUR_MS);
    for (const logo of [younger, putAgain]) await store.put(logo);
    now = new Date(START.getTime() + HOUR_MS + 1);
    expect(await store.removeOrphans(async (hash) => hash === used.hash, HOUR_MS)).toBe(1);
    expect(await store.open(unused.hash)).toBeNull();
    expect(await chunks().countDocuments({})).toBe(9);
    for (const logo of [used, younger, putAgain]) expect(await isStored(logo)).toBe(true);
  });

  it('keeps the chunks of a recent upload', async () => {
    await chunks().insertOne({ files_id: new mongo.ObjectId(), n: 0, data: randomBytes(10) });
    now = new Date();
    expect(await store.removeOrphans(always, HOUR_MS)).toBe(0);
    expect(await chunks().countDocuments({})).toBe(1);
  });

  it('removes chunks that an interrupted removal left', async () => {
    const logo = image();
    await store.put(logo);
    await files().deleteMany({});
    now = new Date(Date.now() + 2 * HOUR_MS);
    expect(await store.removeOrphans(always, HOUR_MS)).toBe(1);
    expect(await chunks().countDocuments({})).toBe(0);
  });
});

const logo = (hash: string) => ({ bytes: Buffer.from(hash), contentType: 'image/png' as const, hash });

describe('sweep of orphaned logos (Contract 9.2.8)', () => {
  it('runs hourly, removes unused logos put over an hour ago, and renews its lock', async () => {
    let now = START;
    const store = new LogoStore(database.connection, () => now);
    for (let count = 0; count < 250; count += 1) await store.put(logo(`orphan ${count}`));
    await store.put(logo('used'));
    now = new Date(START.getTime() + HOUR_MS + 1);
    await store.put(logo('young'));
    let renewals = 0;
    const { companies } = modelsOf(database.connection);
    await companies.collection.insertOne({ logo: { kind: 'file', hash: 'used' } });
    const task = removeOrphanLogosTask(store, companies);
    expect(task.everyMs).toBe(HOUR_MS);
    expect(task.isVital).not.toBe(true);
    const files = database.connection.collection('logos.files');
    const run = { id: 'run', renew: async () => void (renewals += 1) };
    await task.run({ ...run, isStopping: () => true });
    expect(await store.open('orphan 0')).not.toBeNull();
    await task.run({ ...run, isStopping: () => false });
    const left = await files.find().toArray();
    expect(left.map(({ filename }) => String(filename)).sort()).toEqual(['used', 'young']);
    expect(renewals).toBeGreaterThanOrEqual(2);
  });
});
