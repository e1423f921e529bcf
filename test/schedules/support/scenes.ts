import { type Scene } from './schedule.js';
import { type Sent } from './gateways.js';

/** The calls that come together. A call of its own value for each place in a schedule; a repetition shares its twin's. */
const classes = {
  updateJob: (value) => ({ operation: 'updateJob', value }),
  updateCompany: (value) => ({ operation: 'updateCompany', value, withLogo: true }),
  'updateJob with a key': (value) => ({ operation: 'updateJob', value, key: value }),
  'updateCompany with a key': (value) => ({ operation: 'updateCompany', value, key: value }),
  'updateJob with expectedVersion': (value, version) => ({
    operation: 'updateJob',
    value,
    expectedVersion: version,
  }),
  'a replay': (value) => ({ operation: 'updateJob', value, key: value }),
  archiving: (value) => ({ operation: 'archive', value }),
  'the removal of unused logos': (value) => ({ operation: 'removeLogos', value }),
} satisfies Record<string, (value: string, version: number) => Sent>;

export type ClassName = keyof typeof classes;
export const classNames = Object.keys(classes) as ClassName[];

const values = ['first', 'second', 'third'];

/** The scene of some classes, at a version from which the next change moves the history or not. */
export const sceneOf = (names: readonly ClassName[], scene: Omit<Scene, 'calls'> = {}): Scene => {
  // A replay repeats the call with a key that is beside it, else the other replays.
  const repeated = values[names.indexOf('updateJob with a key')] ?? 'repeated';
  const valueOf = (name: ClassName, index: number) =>
    name === 'a replay' ? repeated : (values[index] ?? String(index));
  return {
    ...scene,
    isExpired: names.includes('archiving'),
    calls: names.map((name, index) => classes[name](valueOf(name, index), scene.version ?? 1)),
  };
};

/** Every pair, each once. */
export const pairs = classNames.flatMap((one, index) =>
  classNames.slice(index).map((other): [ClassName, ClassName] => [one, other]),
);
