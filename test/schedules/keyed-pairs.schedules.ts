import { afterAll, describe, expect, it } from '@jest/globals';
import { Theatre } from './support/schedule.js';
import { keyedPairs, longestMs, playPair } from './support/whole.js';

const theatre = new Theatre();
afterAll(() => theatre.close());

describe('every order of two calls, one of them with a key, with a fault at each point or none (Contract 9.3.8, 9.3.9)', () => {
  it.each(keyedPairs)(
    '%s beside %s leave what the contract says',
    async (...names) => {
      expect(await playPair(theatre, names)).toBeNull();
    },
    longestMs,
  );
});
