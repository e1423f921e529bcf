import { afterAll, describe, expect, it } from '@jest/globals';
import { Theatre } from './support/schedule.js';
import { longestMs, otherPairs, playPair } from './support/whole.js';

const theatre = new Theatre();
afterAll(() => theatre.close());

describe('every order of two calls, with at most one fault (Contract 3.3.2, 8.2.1, 9.2, 9.6, 10.1.1, 12.3.5)', () => {
  it.each(otherPairs)(
    '%s beside %s keeps the contract',
    async (...names) => {
      expect(await playPair(theatre, names)).toBeNull();
    },
    longestMs,
  );
});
