import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import mongoose from 'mongoose';
import { connect } from '../../src/database/connect.js';
import { parseSettings, type Settings } from '../../src/settings.js';
import { openSeverableDatabase, type SeverableDatabase } from '../support/severable.js';

let database: SeverableDatabase;
let settings: Settings;
beforeEach(async () => {
  database = await openSeverableDatabase();
  settings = parseSettings({ MONGODB_URI: database.uri });
});
afterEach(() => database.close());

describe('a database that does not answer at the start', () => {
  it('is waited for, longer than a request waits', async () => {
    database.way.sever();
    const connecting = connect(settings);
    await sleep(2_500);
    database.way.mend();
    const opened = await connecting;
    expect((await opened.connection.db?.admin().ping())?.ok).toBe(1);
    await opened.close();
  });
});

describe('a MONGODB_URI that prefers secondaries', () => {
  it('is read at the primary all the same, so that no repetition misses what its first call has left (Contract 9.3.9)', async () => {
    const opened = await connect(parseSettings({ MONGODB_URI: withReadPreference(database.uri) }));
    const modes = [opened.connection, opened.tasks].map(
      ({ db }) => db?.collection('history').readPreference?.mode,
    );
    await opened.close();
    expect(modes).toEqual(['primary', 'primary']);
  });
});

describe('an answer that is lost on a connection that lives', () => {
  it('is not waited for without end, by tasks and commands either', async () => {
    const opened = await connect(settings);
    const bounds = [opened.connection, opened.tasks].map(
      (connection) => connection.getClient().options.socketTimeoutMS,
    );
    await opened.close();
    expect(Math.min(...bounds)).toBeGreaterThan(0);
  });
});

describe('a connection that cannot be made', () => {
  it('leaves none behind that was made beside it', async () => {
    const left = () => mongoose.connections.filter(({ readyState }) => Number(readyState) !== 0).length;
    const before = left();
    await expect(connect({ ...settings, databasePoolSize: -1 })).rejects.toThrow(/maxPoolSize/);
    expect(left()).toBe(before);
  });
});

function withReadPreference(uri: string): string {
  const url = new URL(uri);
  url.searchParams.set('readPreference', 'secondaryPreferred');
  return url.href;
}
