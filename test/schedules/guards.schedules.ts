import { afterAll, describe, expect, it } from '@jest/globals';
import { exploreAll } from './support/explore.js';
import { guards } from './support/guards.js';
import { sceneOf } from './support/scenes.js';
import { Theatre } from './support/schedule.js';
import { longestMs, tell } from './support/whole.js';

const theatre = new Theatre();
afterAll(() => theatre.close());

describe('removing a guard (Contract 8.2.1, 9.2, 9.3.9)', () => {
  it.each(Object.entries(guards))(
    'makes the checker report a broken contract: %s',
    async (name, { mutant, names, scene }) => {
      const { schedules, broken } = await exploreAll(theatre, sceneOf(names, { ...scene, mutant }));
      tell(`without ${name}, found`, schedules);
      expect(broken).not.toBeNull();
    },
    longestMs,
  );
});
