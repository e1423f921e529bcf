import { afterAll, describe, expect, it } from '@jest/globals';
import { randomFor } from '../reliability/support/random.js';
import { exploreRandomly } from './support/explore.js';
import { classNames, sceneOf } from './support/scenes.js';
import { Theatre } from './support/schedule.js';
import { longestMs, tell } from './support/whole.js';

const theatre = new Theatre();
afterAll(() => theatre.close());

const count = Number(process.env.SCHEDULES_TRIPLES ?? 2_000);

describe('three calls in random orders (Contract 9.2, 9.3.9, 9.6, 10.1.1)', () => {
  it(
    `keep the contract: ${count} schedules`,
    async () => {
      const random = randomFor('triples');
      const below = (limit: number) => random.between(0, limit);
      // Don't count schedules that were abandoned because another order gives the same result.
      for (let schedules = 0; schedules < count;) {
        const names = [random.pick(classNames), random.pick(classNames), random.pick(classNames)];
        const scene = sceneOf(names, { withFault: true, version: random.pick([1, 31]) });
        const explored = await exploreRandomly(theatre, scene, { count: 1, below });
        schedules += explored.schedules;
        expect({ names, broken: explored.broken }).toEqual({ names, broken: null });
      }
      tell('triples', count);
    },
    longestMs,
  );
});
