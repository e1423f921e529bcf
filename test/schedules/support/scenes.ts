import { type Scene, startMs } from './schedule.js';
import { otherMedia, type Sent } from './sent.js';

/** A stall passes both ends. */
const earlierEndMs = 8_000;
const laterEndMs = 12_000;

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
  'an import of the record': (value) => ({ operation: 'import', value }),
  'an import of a new record': (value) => ({ operation: 'import', value, isNew: true }),
  'a read': (value) => ({ operation: 'readJob', value }),
  'a list of what is published': (value) => ({ operation: 'listPublished', value }),
  'a follower of changes': (value) => ({ operation: 'follow', value }),
  'a call that spends a unit': (value) => ({ operation: 'spend', value }),
  'an update of the end': (value) => ({
    operation: 'updateJob',
    value,
    expiresAt: new Date(startMs + laterEndMs).toISOString(),
  }),
} satisfies Classes;

/** Played only with followers: any other call refuses a job that is in another media. */
const moves = {
  'an import that moves the job': (value) => ({ operation: 'import', value, toMedia: otherMedia }),
} satisfies Classes;

type Classes = Record<string, (value: string, version: number) => Sent>;

export type ClassName = keyof typeof classes;
export const classNames = Object.keys(classes) as ClassName[];

export const moving = [
  'an import that moves the job',
  'a follower of changes',
  'a follower of changes',
] as const;

/** In scenes with these classes, the job's end has come; beside an update of the end, it comes during a stall. */
const endings = new Set<ClassName>(['archiving', 'a read', 'a list of what is published']);

const values = ['first', 'second', 'third'];

export const sceneOf = (
  names: readonly (ClassName | keyof typeof moves)[],
  scene: Omit<Scene, 'calls'> = {},
): Scene => {
  // Without an `updateJob` with a key, replays repeat each other.
  const repeated = values[names.indexOf('updateJob with a key')] ?? 'repeated';
  const valueOf = (name: string, index: number) =>
    name === 'a replay' ? repeated : (values[index] ?? String(index));
  return {
    ...scene,
    ...(names.includes('an update of the end')
      ? { endsInMs: earlierEndMs }
      : names.some((name) => endings.has(name as ClassName)) && { endsInMs: 0 }),
    isSymmetric: !scene.offsetMs && new Set(names).size === 1,
    calls: names.map((name, index) =>
      ({ ...classes, ...moves })[name](valueOf(name, index), scene.version ?? 1),
    ),
  };
};

/** No other call uses the quota, so these calls are paired only with each other. */
const isApart = (name: ClassName) => name === 'a call that spends a unit';

export const pairs = classNames.flatMap((one, index) =>
  classNames
    .slice(index)
    .filter((other) => isApart(one) === isApart(other))
    .map((other): [ClassName, ClassName] => [one, other]),
);
