import { afterAll, describe, expect, it } from '@jest/globals';
import mongoose, { createConnection, Types } from 'mongoose';
import { modelsOf } from '../../src/models.js';
import { changesOf, patched, valueAt } from '../../src/fields/fields.rules.js';
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

describe('a stored history entry (Contract 10.1.1)', () => {
  it('must name its record, version, time, actor, transport and request', async () => {
    expect(await refusedPaths(new history({}))).toEqual(
      ['_id', 'record', 'version', 'at', 'actor', 'transport', 'requestId'].sort(),
    );
  });

  it.each(['graphql', 'rest', 'task', 'import'])('accepts the transport %s', async (transport) => {
    expect(await refusedPaths(new history({ ...stored, transport }))).toEqual([]);
    expect(await refusedPaths(new history({ ...stored, transport: `${transport}s` }))).toEqual(['transport']);
  });

  it('has no other fields in the history or in its record', () => {
    const changes = stored.changes.map((change) => ({ ...change, more: 1 }));
    expect(new history({ ...stored, changes, more: 1 }).toObject()).toEqual(stored);
    const job = new jobs({
      pendingHistory: [{ ...entry, more: 1 }],
      unchangingCalls: [{ at, call, more: 1 }],
    }).toObject();
    expect([job.pendingHistory, job.unchangingCalls]).toEqual([[entry], [{ at, call }]]);
  });
});

it('history entries are indexed by record and version (unique), by time, and by call, and records by what few have', () => {
  expect(history.schema.indexes()).toEqual([
    [{ record: 1, version: -1 }, { unique: true }],
    [{ at: 1 }, {}],
    [{ 'call.key': 1 }, { sparse: true }],
  ]);
  expect(jobs.schema.indexes()).toContainEqual([{ 'unchangingCalls.at': 1 }, { sparse: true }]);
  // Mongoose must not create indexes: the gateway creates them at its start and waits for them.
  expect([history.schema.get('autoIndex'), history.schema.get('autoCreate')]).toEqual([false, false]);
  expect(history.schema.get('versionKey')).toBe(false);
  expect(history.collection.name).toBe('history');
});

it('a record must have a version', async () => {
  expect(await refusedPaths(new jobs({ version: null }))).toContain('version');
});

it('a new record has version 1, no history and no calls (Contract 9.1.1)', () => {
  const { version, pendingHistory, unchangingCalls } = new jobs({}).toObject();
  expect({ version, pendingHistory, unchangingCalls }).toEqual({
    version: 1,
    pendingHistory: [],
    unchangingCalls: undefined,
  });
});

const record = {
  name: 'n',
  salary: null,
  description: { jobDesc: 'old', benefitDesc: null },
  office: new mongoose.Types.ObjectId('a'.repeat(24)),
  publishedAt: new Date(0),
  emails: ['a@b.fr', 'c@d.fr'],
};

describe('applying a patch to a record', () => {
  it('sets each value at its path and keeps everything else', () => {
    expect(patched(record, { salary: '1 €', 'description.jobDesc': 'new', added: 1 })).toEqual({
      ...record,
      salary: '1 €',
      description: { jobDesc: 'new', benefitDesc: null },
      added: 1,
    });
    expect(record.description.jobDesc).toBe('old');
    expect(patched({}, { 'location.city': 'Lyon' })).toEqual({ location: { city: 'Lyon' } });
  });
});

describe('the changes that a patch makes (Contract 10.1.1)', () => {
  it('list each field before and after, in the order of the patch', () => {
    expect(changesOf(record, { 'description.jobDesc': 'new', salary: '1 €', added: 1, name: null })).toEqual([
      { field: 'description.jobDesc', before: 'old', after: 'new' },
      { field: 'salary', before: null, after: '1 €' },
      { field: 'added', before: null, after: 1 },
      { field: 'name', before: 'n', after: null },
    ]);
  });

  it('leave out fields whose value stays equal', () => {
    const same = {
      name: 'n',
      salary: null,
      absent: null,
      office: new mongoose.Types.ObjectId('a'.repeat(24)),
      publishedAt: new Date(0),
      emails: [...record.emails],
      description: { benefitDesc: null, jobDesc: 'old' },
    };
    expect(changesOf(record, same)).toEqual([]);
  });

  it.each([
    ['another id', { office: new mongoose.Types.ObjectId('b'.repeat(24)) }],
    ['another instant', { publishedAt: new Date(1) }],
    ['another order of a list', { emails: [...record.emails].reverse() }],
    ['an instant that becomes a text', { publishedAt: new Date(0).toISOString() }],
    ['null that becomes an object', { salary: {} }],
    ['an object that becomes null', { office: null }],
  ])('include %s', (_what, patch) => expect(changesOf(record, patch)).toHaveLength(1));
});

it('reading a path that does not exist gives null', () => {
  expect(valueAt(record, 'description.jobDesc')).toBe('old');
  expect(valueAt(record, 'description.none')).toBeNull();
  expect(valueAt(record, 'salary.amount')).toBeNull();
  expect(valueAt({}, 'location.city')).toBeNull();
});
