import { describe, expect, it } from '@jest/globals';
import { manyDocuments, unnamedIn } from '../support/shard-keys.js';

// test/support/named-keys.ts checks the commands of every gateway and operator command that the suite runs.
describe('the check of the commands that the suite sends', () => {
  it.each<[string, object]>([
    ['an update by id', { update: 'jobs', updates: [{ q: { _id: 1, version: 1 }, u: {} }] }],
    [
      'one of several updates by id',
      { update: 'jobs', updates: [{ q: { publicId: 'j' } }, { q: { _id: 1 } }] },
    ],
    ['a write of one job of a media', { findAndModify: 'jobs', query: { media: 'm' } }],
    [
      'an upsert that matches nothing',
      { update: 'jobs', updates: [{ q: { _id: { $in: [] } }, upsert: true }] },
    ],
    ['a read by id', { find: 'jobs', filter: { _id: 1 } }],
    ['a read by ids, in a list', { find: 'jobs', filter: { $and: [{ media: 'm' }, { _id: { $in: [1] } }] } }],
    ['a key in one alternative', { find: 'jobs', filter: { $or: [{ publicId: 'j' }, { name: 'x' }] } }],
    [
      'a range of keys, of one document',
      { delete: 'jobs', deletes: [{ q: { publicId: { $gt: '' } }, limit: 1 }] },
    ],
    ['entries by id', { find: 'history', filter: { _id: { $in: ['job:1:2'] } } }],
    ['an entry without its record', { insert: 'history', documents: [{ _id: 'job:1:2' }] }],
    ['a bucket by id', { delete: 'quotas', deletes: [{ q: { _id: 1 }, limit: 0 }] }],
    ['a key by claim', { update: 'idempotency', updates: [{ q: { claim: 'c' } }] }],
    ['a join with jobs', { aggregate: 'companies', pipeline: [{ $lookup: { from: 'jobs' } }] }],
  ])('rejects %s', (_, command) => {
    expect(unnamedIn(command)).toHaveLength(1);
  });

  it.each<[string, object]>([
    ['an update by key', { update: 'jobs', updates: [{ q: { publicId: 'j', version: 1 }, u: {} }] }],
    [
      'a read by key and reach',
      { aggregate: 'jobs', pipeline: [{ $match: { $and: [{ publicId: 'j' }, { $or: [] }] } }] },
    ],
    ['keys', { find: 'history', filter: { record: { $in: [1] }, _id: { $in: ['job:1:2'] } } }],
    ['an insert with its key', { insert: 'jobs', documents: [{ _id: 1, publicId: 'j' }] }],
    ['a list', { find: 'jobs', filter: { media: 'm', state: 'draft' } }],
    ['pages of a collection', { find: 'history', filter: { _id: { $gt: 'job:1:2' } } }],
    ['other collections', { update: 'companies', updates: [{ q: { _id: 1 } }] }],
    ['commands without a filter', { createIndexes: 'jobs', indexes: [] }],
  ])('accepts %s', (_, command) => {
    expect(unnamedIn(command)).toEqual([]);
  });

  it('has a reason for each exception', () => {
    for (const [, , , reason] of manyDocuments) expect(reason).not.toBe('');
  });
});
