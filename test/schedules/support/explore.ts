import { faultsOf } from './checker.js';
import { type Scene, type Theatre } from './schedule.js';

export interface Explored {
  schedules: number;
  /** The first schedule that broke the contract. */
  broken: { choices: number[]; faults: string[] } | null;
}

/** Plays every schedule of a scene, or the first `most`, until one breaks the contract. */
export async function exploreAll(theatre: Theatre, scene: Scene, most = Infinity): Promise<Explored> {
  let path: { choice: number; of: number }[] = [];
  for (let schedules = 0; ;) {
    const played: typeof path = [];
    const aftermath = await theatre.play(scene, (actions) => {
      const choice = Math.min(path[played.length]?.choice ?? 0, actions - 1);
      played.push({ choice, of: actions });
      return choice;
    });
    if (aftermath) schedules += 1;
    const faults = aftermath ? faultsOf(aftermath) : [];
    if (faults.length > 0)
      return { schedules, broken: { choices: played.map(({ choice }) => choice), faults } };
    // For the next path, advance the last choice with an alternative.
    while (played.length > 0 && (played.at(-1)?.choice ?? 0) + 1 >= (played.at(-1)?.of ?? 0)) played.pop();
    const last = played.at(-1);
    if (!last || schedules >= most) return { schedules, broken: null };
    path = [...played.slice(0, -1), { ...last, choice: last.choice + 1 }];
  }
}

export async function exploreRandomly(
  theatre: Theatre,
  scene: Scene,
  { count, below }: { count: number; below: (most: number) => number },
): Promise<Explored> {
  let schedules = 0;
  for (let drawn = 0; drawn < count; drawn += 1) {
    const choices: number[] = [];
    const aftermath = await theatre.play(scene, (actions) => {
      const choice = below(actions);
      choices.push(choice);
      return choice;
    });
    if (aftermath) schedules += 1;
    const faults = aftermath ? faultsOf(aftermath) : [];
    if (faults.length > 0) return { schedules, broken: { choices, faults } };
  }
  return { schedules, broken: null };
}
