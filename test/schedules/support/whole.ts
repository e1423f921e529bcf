import { exploreAll } from './explore.js';
import { type Scene, type Theatre } from './schedule.js';
import { pairs, sceneOf } from './scenes.js';

/** Fewer of each for a look in between; all where it is not set. */
const most = Number(process.env.SCHEDULES_MOST ?? Infinity);
/** How long the schedules of one scene may take. */
export const longestMs = 3_600_000;

export const tell = (what: string, schedules: number) =>
  process.stdout.write(`${what}: ${schedules} schedules, ${process.uptime().toFixed()} s\n`);

const hasKey = (name: string) => /key|replay/.test(name);
export const keyedPairs = pairs.filter((names) => names.some(hasKey));
export const otherPairs = pairs.filter((names) => !names.some(hasKey));

/**
 * As they are, and where the first change moves the history. With clocks 5 s apart besides where both have a key: only
 * there does one process compare an instant that another has written.
 */
const scenesOf = (names: readonly string[]): Omit<Scene, 'calls'>[] => [
  {},
  { version: 31 },
  ...(names.every(hasKey) ? [{ offsetMs: 5_000 }, { offsetMs: -5_000 }] : []),
];

/** Plays every order of two calls, with a fault at each point or none. @returns what the first broken one has broken */
export async function playPair(theatre: Theatre, names: (typeof pairs)[number]) {
  for (const scene of scenesOf(names)) {
    const { schedules, broken } = await exploreAll(
      theatre,
      sceneOf(names, { withFault: true, ...scene }),
      most,
    );
    tell(`${names.join(' + ')} ${JSON.stringify(scene)}`, schedules);
    if (broken) return { scene, ...broken };
  }
  return null;
}
