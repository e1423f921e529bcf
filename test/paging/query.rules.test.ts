import { describe, expect, it } from '@jest/globals';
import { allOf } from '../../src/paging/query.rules.js';

describe('joined conditions', () => {
  it('keep every condition, even two on one field or two alternatives', () => {
    const reach = { $or: [{ createdBy: 'me' }] };
    const range = { $or: [{ at: 1 }, { at: null }] };
    expect(allOf({ at: { $gt: 0 } }, { at: { $lt: 2 } }, reach, range)).toEqual({
      $and: [{ at: { $gt: 0 } }, { at: { $lt: 2 } }, reach, range],
    });
  });

  it('leave out conditions that do not restrict', () => {
    expect(allOf({}, false, null, undefined, { media: 'm' })).toEqual({ media: 'm' });
    expect(allOf({}, undefined)).toEqual({});
  });
});
