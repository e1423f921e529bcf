import { afterAll, describe, expect, it } from '@jest/globals';
import { Theatre } from './support/schedule.js';
import { keyedPairs, longestMs, playPair } from './support/whole.js';

const theatre = new Theatre();
afterAll(() => theatre.close());

describe('every order of two calls, one or both with a key, with at most one fault (Contract 9.3.8, 9.3.9)', () => {
  it.each(keyedPairs)(
    '%s beside %s keeps the contract',
    async (...names) => {
      expect(await playPair(theatre, names)).toBeNull();
    },
    longestMs,
  );
});
