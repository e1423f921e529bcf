import { randomUUID } from 'node:crypto';
import { type ClassName } from './scenes.js';
import { type Scene } from './schedule.js';
import { type Mutant } from './stage.js';

const isWriteOf = (command: Record<string, unknown>, ...collections: string[]): boolean =>
  collections.includes(String(command.findAndModify));

const without = (document: unknown, name: string): Record<string, unknown> =>
  Object.fromEntries(Object.entries(document as object).filter(([key]) => key !== name));

/** For each guard: a change that removes it from commands, and a scene where the checker notices. */
export const guards = {
  'the version in the filter': {
    mutant: (command) =>
      isWriteOf(command, 'jobs', 'companies')
        ? { ...command, query: without(command.query, 'version') }
        : command,
    names: ['updateJob', 'updateJob'],
    scene: {},
  },
  // Gives each attempt its own record of the key, so that calls do not find each other.
  'the claim': {
    mutant: (command) => {
      if (isWriteOf(command, 'idempotency')) return { ...command, query: { _id: randomUUID() } };
      if (command.update !== 'idempotency') return command;
      const updates = command.updates as { q: object }[];
      return { ...command, updates: updates.map((update) => ({ ...update, q: without(update.q, '_id') })) };
    },
    names: ['updateJob with a key', 'a replay'],
    scene: { version: 31 },
  },
  'the evidence in the entry': {
    mutant: (command) => {
      const update = command.update as { $push?: { pendingHistory: { $each: object[] } } } | undefined;
      if (!isWriteOf(command, 'jobs', 'companies') || !update?.$push) return command;
      const $each = update.$push.pendingHistory.$each.map((entry) => without(entry, 'call'));
      return { ...command, update: { ...update, $push: { pendingHistory: { $each } } } };
    },
    names: ['updateJob with a key', 'updateJob'],
    scene: { withFault: true },
  },
  'the look for evidence in the history': {
    mutant: (command) =>
      command.find === 'history' && JSON.stringify(command.filter).includes('call.key')
        ? { ...command, filter: { _id: 'nothing' } }
        : command,
    names: ['updateJob with a key', 'updateJob'],
    scene: { withFault: true, version: 31 },
  },
  'unique indexes': {
    mutant: (command) =>
      command.createIndexes
        ? { ...command, indexes: (command.indexes as object[]).map((index) => without(index, 'unique')) }
        : command,
    names: ['an import of a new record', 'an import of a new record'],
    scene: {},
  },
  'the date that the database gives a write': {
    mutant: (command) =>
      isWriteOf(command, 'jobs', 'companies')
        ? { ...command, update: without(command.update, '$currentDate') }
        : command,
    names: ['updateJob', 'a follower of changes'],
    scene: {},
  },
  // Makes every call start a new window.
  'the window of a quota': {
    mutant: (command) =>
      isWriteOf(command, 'quotas')
        ? { ...command, update: [{ $set: { points: 1, now: '$$NOW', expire: '$$NOW' } }] }
        : command,
    names: ['a call that spends a unit', 'a call that spends a unit'],
    scene: {},
  },
  'the limit on the entries that a record carries': {
    mutant: (command) => {
      if (!isWriteOf(command, 'jobs', 'companies')) return command;
      const filter = Object.entries(command.query as object).filter(
        ([path]) => !path.startsWith('pendingHistory.'),
      );
      return { ...command, query: Object.fromEntries(filter) };
    },
    names: ['updateJob', 'updateJob'],
    scene: { version: 70, pending: 63 },
  },
} satisfies Record<string, { mutant: Mutant; names: ClassName[]; scene: Omit<Scene, 'calls'> }>;
