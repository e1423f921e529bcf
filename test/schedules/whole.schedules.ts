import { afterAll, describe, expect, it } from '@jest/globals';
import { randomFor } from '../reliability/support/random.js';
import { exploreAll, exploreRandomly } from './support/explore.js';
import { guards } from './support/guards.js';
import { classNames, pairs, sceneOf } from './support/scenes.js';
import { type Scene, Theatre } from './support/schedule.js';

const theatre = new Theatre();
afterAll(() => theatre.close());

/** Fewer for a look in between; whole where it is not set. */
const most = Number(process.env.SCHEDULES_MOST ?? Infinity);
const triples = Number(process.env.SCHEDULES_TRIPLES ?? 300);
const longestMs = 3_600_000;

const tell = (what: string, schedules: number) =>
  process.stdout.write(`${what}: ${schedules} schedules, ${process.uptime().toFixed()} s\n`);

/** Each pair as it is, where its first change moves the history, and with clocks 5 s apart. */
const scenes: Omit<Scene, 'calls'>[] = [
  { withFault: true },
  { withFault: true, version: 31 },
  { withFault: true, offsetMs: 5_000 },
  { withFault: true, offsetMs: -5_000 },
];

describe('every order of two calls, with a fault at each point or none (Contract 3.3.2, 8.2.1, 9.2, 9.3.9, 9.6, 10.1.1, 12.3.5)', () => {
  it.each(pairs)(
    '%s beside %s leave what the contract says',
    async (...names) => {
      const hasKey = names.some((name) => /key|replay/.test(name));
      for (const scene of hasKey ? scenes : scenes.slice(0, 2)) {
        const { schedules, broken } = await exploreAll(theatre, sceneOf(names, scene), most);
        tell(`${names.join(' + ')} ${JSON.stringify(scene)}`, schedules);
        expect(broken).toBeNull();
      }
    },
    longestMs,
  );
});

describe('three calls in orders drawn at random (Contract 9.2, 9.3.9, 9.6, 10.1.1)', () => {
  it(
    `${triples} of them leave what the contract says`,
    async () => {
      const random = randomFor('triples');
      for (let count = 0; count < triples; count += 1) {
        const names = [random.pick(classNames), random.pick(classNames), random.pick(classNames)];
        const scene = sceneOf(names, { withFault: true, version: random.pick([1, 31]) });
        const below = (limit: number) => random.between(0, limit);
        const { broken } = await exploreRandomly(theatre, scene, { count: 1, below });
        expect({ names, broken }).toEqual({ names, broken: null });
      }
    },
    longestMs,
  );
});

describe('a guard that is missing (Contract 8.2.1, 9.2, 9.3.9)', () => {
  it.each(Object.entries(guards))(
    'is found: %s',
    async (name, { mutant, names, scene }) => {
      const { schedules, broken } = await exploreAll(theatre, sceneOf(names, { ...scene, mutant }));
      tell(`without ${name}, found`, schedules);
      expect(broken).not.toBeNull();
    },
    longestMs,
  );
});
