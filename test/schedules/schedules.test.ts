import { afterAll, describe, expect, it } from '@jest/globals';
import { exploreAll, exploreRandomly } from './support/explore.js';
import { guards } from './support/guards.js';
import { playReach } from './support/reach-scenes.js';
import { moving, pairs, sceneOf } from './support/scenes.js';
import { Theatre } from './support/schedule.js';
import { randomFor } from '../reliability/support/random.js';

const theatre = new Theatre();
afterAll(() => theatre.close());
const random = randomFor('schedules');

/** A sample of what `npm run test:schedules` plays in full. */
describe('calls of several processes, in random orders with random faults (Contract 3.3.2, 8.2.1, 9.2, 9.3.9, 10.1.1)', () => {
  it.each(pairs)('%s beside %s keeps the contract', async (...names) => {
    const scene = sceneOf(names, { withFault: true });
    const { broken } = await exploreRandomly(theatre, scene, {
      count: 1,
      below: (most) => random.between(0, most),
    });
    expect(broken).toBeNull();
  });

  it('two imports of one new job report only what they wrote, even if a reply is lost (Contract 12.3.5)', async () => {
    const names = ['an import of a new record', 'an import of a new record'] as const;
    expect((await exploreAll(theatre, sceneOf(names, { withFault: true }), 60)).broken).toBeNull();
  });

  it('an import that moves a job leaves followers with what is in the media (Contract 4.6.6)', async () => {
    const below = (most: number) => random.between(0, most);
    const { broken } = await exploreRandomly(theatre, sceneOf(moving, { withFault: true }), {
      count: 60,
      below,
    });
    expect(broken).toBeNull();
  });

  it('an import that moves a company, its brand or its job never shows a reader too much (Contract 5.6.5)', async () => {
    expect(await playReach(theatre, 20)).toBeNull();
  });

  it('the checker reports a broken contract if updates do not filter by version', async () => {
    const { mutant, names, scene } = guards['the version in the filter'];
    expect((await exploreAll(theatre, sceneOf(names, { ...scene, mutant }))).broken).not.toBeNull();
  });
});
