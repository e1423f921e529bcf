import { afterAll, describe, expect, it } from '@jest/globals';
import { randomFor } from '../reliability/support/random.js';
import { exploreRandomly } from './support/explore.js';
import { moving, sceneOf } from './support/scenes.js';
import { Theatre } from './support/schedule.js';
import { longestMs, tell } from './support/whole.js';

const theatre = new Theatre();
afterAll(() => theatre.close());

const count = Number(process.env.SCHEDULES_TRIPLES ?? 2_000);

describe('an import that moves a job, beside two followers of changes, with at most one fault (Contract 4.6.6)', () => {
  it(
    `leave the followers with what is in the media: ${count} random orders`,
    async () => {
      const random = randomFor('moves');
      const below = (most: number) => random.between(0, most);
      for (let schedules = 0; schedules < count;) {
        const scene = sceneOf(moving, { withFault: true, version: random.pick([1, 31]) });
        const explored = await exploreRandomly(theatre, scene, { count: 1, below });
        schedules += explored.schedules;
        expect(explored.broken).toBeNull();
      }
      tell('moves', count);
    },
    longestMs,
  );
});
