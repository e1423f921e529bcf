import { randomFor } from '../../reliability/support/random.js';
import { exploreRandomly } from './explore.js';
import { type Scene, type Theatre } from './schedule.js';
import { type Mutant } from './stage.js';
import { homeMedia, otherMedia, type Sent } from './sent.js';

const media = [homeMedia, otherMedia];
const brands = ['acme-group', 'other-group'];

type Updates = { q: object; u: { $set?: object } }[];

/** Removes the commands that take reach away before a company changes. */
export const withoutNarrowing: Mutant = (command) =>
  command.update === 'jobs'
    ? {
        ...command,
        updates: (command.updates as Updates).map((update) =>
          'companyVersion' in (update.u.$set ?? {}) && !JSON.stringify(update.q).includes('publicId')
            ? { ...update, q: { _id: 'none' } }
            : update,
        ),
      }
    : command;

/** Plays an import beside readers in random orders, and returns the first that broke the contract, or null. */
export async function playReach(theatre: Theatre, count: number, mutant?: Mutant) {
  const random = randomFor('reach');
  const company = (value: string): Sent => ({
    operation: 'importCompany',
    value,
    brand: random.pick(brands),
    inMedia: media.filter(() => random.between(0, 3) > 0),
  });
  const reader = (value: string): Sent => ({
    operation: 'list',
    value,
    inMedia: [random.pick(media)],
    ...(random.between(0, 3) > 0 && { brand: random.pick(brands) }),
  });
  for (let schedules = 0; schedules < count;) {
    const move: Sent = { operation: 'import', value: 'third', toMedia: random.pick(media) };
    const scene: Scene = {
      calls: [random.between(0, 3) > 0 ? company('first') : move, reader('fourth'), reader('fifth')],
      version: random.pick([1, 31]),
      withFault: true,
      withEquals: true,
      ...(mutant && { mutant }),
    };
    // Each call makes a few steps in a row: in an even mixture, no call gets past another.
    let last = 0;
    const below = (actions: number) => {
      const isFault = random.between(0, 10) === 0;
      if (last >= actions || random.between(0, 6) === 0)
        last = random.between(0, isFault ? actions : Math.min(actions, scene.calls.length));
      return last;
    };
    const explored = await exploreRandomly(theatre, scene, { count: 1, below });
    schedules += explored.schedules;
    if (explored.broken) return { calls: scene.calls, ...explored.broken };
  }
  return null;
}
