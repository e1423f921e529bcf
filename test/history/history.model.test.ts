import { afterAll, describe, expect, it } from '@jest/globals';
import { createConnection, Types } from 'mongoose';
import { modelsOf } from '../../src/database/models.js';
import { refusedPaths } from '../support/refused-paths.js';

const connection = createConnection();
const { history, jobs } = modelsOf(connection);
afterAll(() => connection.close());

const at = new Date(0);
const call = { key: 'k', input: 'i' };
const entry = {
  version: 2,
  at,
  actor: 'a',
  transport: 'rest',
  requestId: 'r',
  changes: [{ field: 'salary', before: null, after: '1' }],
  call,
};
const stored = { ...entry, _id: 'job:1:2', record: new Types.ObjectId() };

describe('an entry of a history, as it is stored (Contract 10.1.1)', () => {
  it('says of which record and version it is, when, by whom, which way and in which request it was made', async () => {
    expect(await refusedPaths(new history({}))).toEqual(
      ['_id', 'record', 'version', 'at', 'actor', 'transport', 'requestId'].sort(),
    );
  });

  it.each(['graphql', 'rest', 'task', 'import'])('came by a way that there is: %s', async (transport) => {
    expect(await refusedPaths(new history({ ...stored, transport }))).toEqual([]);
    expect(await refusedPaths(new history({ ...stored, transport: `${transport}s` }))).toEqual(['transport']);
  });

  it('holds nothing besides, in the history and in its record', () => {
    const changes = stored.changes.map((change) => ({ ...change, more: 1 }));
    expect(new history({ ...stored, changes, more: 1 }).toObject()).toEqual(stored);
    const job = new jobs({
      pendingHistory: [{ ...entry, more: 1 }],
      unchangingCalls: [{ at, call, more: 1 }],
    }).toObject();
    expect([job.pendingHistory, job.unchangingCalls]).toEqual([[entry], [{ at, call }]]);
  });
});

it('entries are found by record and version, which no two share, by their instant, and by their call', () => {
  expect(history.schema.indexes()).toEqual([
    [{ record: 1, version: -1 }, { unique: true }],
    [{ at: 1 }, {}],
    [{ 'call.key': 1 }, { sparse: true }],
  ]);
  // The gateway makes indexes itself, at its start, and waits for them.
  expect([history.schema.get('autoIndex'), history.schema.get('autoCreate')]).toEqual([false, false]);
  expect(history.schema.get('versionKey')).toBe(false);
  expect(history.collection.name).toBe('history');
});

it('a record always has a version', async () => {
  expect(await refusedPaths(new jobs({ version: null }))).toContain('version');
});

it('a record begins with version 1, no history, and nothing of calls (Contract 9.1.1)', () => {
  const { version, pendingHistory, unchangingCalls } = new jobs({}).toObject();
  expect({ version, pendingHistory, unchangingCalls }).toEqual({
    version: 1,
    pendingHistory: [],
    unchangingCalls: undefined,
  });
});
