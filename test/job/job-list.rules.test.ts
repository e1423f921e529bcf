import { describe, expect, it } from '@jest/globals';
import { jobListQuery } from '../../src/job/job-list.rules.js';

const now = new Date('2026-01-01T00:00:00Z');
const before = new Date('2026-02-01T00:00:00Z');
const query = (filter: object) => jobListQuery({ mediaPublicId: 'm', ...filter }, now);

describe('the query of a job list', () => {
  it.each([
    [{}, { media: 'm' }],
    [{ companyPublicId: null, state: null, expiringBefore: null }, { media: 'm' }],
    [{ companyPublicId: 'c' }, { $and: [{ media: 'm' }, { company: 'c' }] }],
    [{ state: 'draft' }, { $and: [{ media: 'm' }, { state: 'draft' }] }],
    [
      { state: 'published' },
      {
        $and: [
          { media: 'm' },
          { state: 'published', $or: [{ expiresAt: { $gt: now } }, { expiresAt: null }] },
        ],
      },
    ],
    [
      { state: 'archived' },
      {
        $and: [
          { media: 'm' },
          {
            $and: [
              { state: { $in: ['archived', 'published'] } },
              { $or: [{ state: 'archived' }, { state: 'published', expiresAt: { $lte: now } }] },
            ],
          },
        ],
      },
    ],
    [
      { state: 'draft', expiringBefore: before },
      {
        $and: [
          { media: 'm' },
          { state: 'draft' },
          { state: 'published', expiresAt: { $gt: now, $lt: before } },
        ],
      },
    ],
  ])('for the filter %j is %j (Contract 3.3.2, 4.4.7)', (filter, expected) => {
    expect(query(filter)).toEqual(expected);
  });
});
