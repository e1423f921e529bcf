import { exploreAll } from './explore.js';
import { type Scene, type Theatre } from './schedule.js';
import { pairs, sceneOf } from './scenes.js';

/** How many schedules of each scene to play. Default: all. */
const most = Number(process.env.SCHEDULES_MOST ?? Infinity);
/** The time limit of a test. */
export const longestMs = 3_600_000;

export const tell = (what: string, schedules: number) =>
  process.stdout.write(`${what}: ${schedules} schedules, ${process.uptime().toFixed()} s\n`);

const hasKey = (name: string) => /key|replay/.test(name);
export const keyedPairs = pairs.filter((names) => names.some(hasKey));
export const otherPairs = pairs.filter((names) => !names.some(hasKey));

/** The scenes of a pair (README). */
const scenesOf = (names: readonly string[]): Omit<Scene, 'calls'>[] => [
  {},
  { version: 31 },
  ...(names.every(hasKey) ? [{ offsetMs: 5_000 }, { offsetMs: -5_000 }] : []),
];

/** Plays a pair, and returns the first schedule that broke the contract, or null. */
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
