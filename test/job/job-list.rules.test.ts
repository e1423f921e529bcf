import { describe, expect, it } from '@jest/globals';
import { type JobFilter, jobListQuery } from '../../src/job/job-list.rules.js';

const now = new Date('2026-01-01T00:00:00Z');
const before = new Date('2026-02-01T00:00:00Z');

const isLive = { state: 'published', expiresAt: { $gt: now } };
const isDue = { state: 'published', expiresAt: { $lte: now } };
const stored = (...states: string[]) => ({ state: { $in: states } });

describe('the query of a job list', () => {
  it.each<[JobFilter, object]>([
    [{}, {}],
    [{ publicIds: null, companyPublicIds: null, states: null, name: null, expiringBefore: null }, {}],
    [{ companyPublicIds: [] }, { company: { $in: [] } }],
    [{ companyPublicIds: [' c', 'd', 'c'] }, { company: { $in: ['c', 'd'] } }],
    [{ publicIds: ['b', 'a', 'b '] }, { publicId: { $in: ['b', 'a'] } }],
    [{ states: [] }, stored()],
    [{ states: ['draft'] }, stored('draft')],
    [{ states: ['published'] }, { $and: [stored('published'), isLive] }],
    [
      { states: ['archived'] },
      { $and: [stored('archived', 'published'), { $or: [stored('archived'), isDue] }] },
    ],
    [
      { states: ['draft', 'published'] },
      { $and: [stored('draft', 'published'), { $or: [stored('draft'), isLive] }] },
    ],
    [{ states: ['archived', 'published'] }, stored('archived', 'published')],
    [
      { states: ['draft'], expiringBefore: before },
      { $and: [{ state: 'published', expiresAt: { $gt: now, $lt: before } }, stored('draft')] },
    ],
  ])('for the filter %j is %j (Contract 3.3.2, 4.4.7)', (filter, expected) => {
    expect(jobListQuery(filter, now)).toEqual(expected);
  });

  it('has every state in the orders whose indexes begin with the state', () => {
    const sorted = (filter: JobFilter) => jobListQuery(filter, now, 'expires_at_asc');
    expect(sorted({})).toEqual(stored('draft', 'published', 'archived'));
    expect(sorted({ states: ['draft'] })).toEqual(stored('draft'));
    expect(sorted({ expiringBefore: before })).toEqual({
      state: 'published',
      expiresAt: { $gt: now, $lt: before },
    });
  });
});
