import { afterAll, expect, it } from '@jest/globals';
import { createConnection } from 'mongoose';
import { modelsOf } from '../../src/database/models.js';
import { refusedPaths } from '../support/refused-paths.js';

const connection = createConnection();
const calls = modelsOf(connection).idempotency;
afterAll(() => connection.close());

const stored = { _id: 'd', inputDigest: 'i', claim: 'c', claimedAt: new Date(0), expiresAt: new Date(1) };

it('a call with a key has all that its repetition is compared with; its payload may be empty (Contract 9.3)', async () => {
  expect(await refusedPaths(new calls({}))).toEqual(Object.keys(stored).sort());
  expect(new calls(stored).toObject()).toEqual(stored);
  const answered = { ...stored, payload: { job: {}, warnings: [] } };
  expect(new calls(answered).toObject()).toEqual(answered);
});

it('is removed when it has ended', () => {
  expect([calls.schema.get('autoIndex'), calls.schema.get('autoCreate')]).toEqual([false, false]);
  expect(calls.schema.get('versionKey')).toBe(false);
  expect(calls.collection.name).toBe('idempotency');
  expect(calls.schema.indexes()).toEqual([[{ expiresAt: 1 }, { expireAfterSeconds: 0 }]]);
});
