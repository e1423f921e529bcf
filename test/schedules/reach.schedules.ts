import { afterAll, describe, expect, it } from '@jest/globals';
import { Theatre } from './support/schedule.js';
import { playReach, withoutNarrowing } from './support/reach-scenes.js';
import { longestMs, tell } from './support/whole.js';

const theatre = new Theatre();
afterAll(() => theatre.close());

const count = Number(process.env.SCHEDULES_TRIPLES ?? 2_000);

describe('an import that moves a company, its brand or its job, beside readers of other tenants, with at most one fault (Contract 5.6.5)', () => {
  it(
    `never shows a reader too much, and in the end shows everything: ${count} random orders`,
    async () => {
      expect(await playReach(theatre, count)).toBeNull();
      tell('reach', count);
    },
    longestMs,
  );

  it(
    'would show too much if it did not take reach away first',
    async () => {
      expect(await playReach(theatre, 2_000, withoutNarrowing)).not.toBeNull();
    },
    longestMs,
  );
});
