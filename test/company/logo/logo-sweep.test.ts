import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mongo } from 'mongoose';
import { removeOrphanLogosTask } from '../../../src/archiver/remove-orphan-logos.task.js';
import { LogoStore } from '../../../src/company/logo/logo-store.js';
import { modelsOf } from '../../../src/database/models.js';
import { openTestDatabase, type TestDatabase } from '../../support/database.js';
import { startTestGateway } from '../../support/gateway.js';
import { until } from '../../support/until.js';

const HOUR_MS = 3_600_000;
const OLD = new Date('2026-03-01T12:00:00.000Z');

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

const logo = (hash: string) => ({ bytes: Buffer.from(hash), contentType: 'image/png' as const, hash });

describe('the sweep of orphaned logos (Contract 4.1.7.7)', () => {
  it('removes once an hour what has been nobody’s for an hour, and renews its lock meanwhile', async () => {
    let now = OLD;
    const store = new LogoStore(database.connection, () => now);
    for (let count = 0; count < 250; count += 1) await store.put(logo(`orphan ${count}`));
    await store.put(logo('used'));
    now = new Date(OLD.getTime() + HOUR_MS + 1);
    await store.put(logo('young'));
    let renewals = 0;
    const { companies } = modelsOf(database.connection);
    await companies.collection.insertOne({ logo: { kind: 'file', hash: 'used' } });
    const task = removeOrphanLogosTask(store, companies);
    expect(task).toMatchObject({ everyMs: HOUR_MS, isVital: false });
    const run = { id: 'run', renew: async () => void (renewals += 1) };
    await task.run({ ...run, isStopping: () => true });
    expect(await store.open('orphan 0')).not.toBeNull();
    await task.run({ ...run, isStopping: () => false });
    const files = await database.connection.collection('logos.files').find({}).toArray();
    expect(files.map(({ filename }) => String(filename)).sort()).toEqual(['used', 'young']);
    expect(renewals).toBeGreaterThanOrEqual(2);
  });

  it('runs in the gateway, beside the archiving', async () => {
    const remains = mongo.ObjectId.createFromTime(OLD.getTime() / 1_000);
    const database = await openTestDatabase();
    const chunks = database.connection.collection('logos.chunks');
    await chunks.insertOne({ files_id: remains, n: 0, data: Buffer.alloc(10) });
    // The shortest period of all tasks says how often the gateway looks for one that is due.
    const gateway = await startTestGateway({ DATABASE_TIMEOUT: '1m', ARCHIVE_EVERY: '1s' }, { database });
    try {
      await until(async () => (await chunks.countDocuments({})) === 0);
      const tasks = await database.connection.collection('tasks').find({}).toArray();
      expect(tasks.map(({ name }) => String(name)).sort()).toEqual([
        'archive-expired-jobs',
        'remove-orphan-logos',
      ]);
    } finally {
      await gateway.stop();
    }
  });
});
