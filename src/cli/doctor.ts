import { renewEpoch } from '../change/epoch.js';
import { databaseOf, describeDatabase } from '../database/connect.js';
import { runDoctor } from '../doctor/doctor.js';
import { parseSettings } from '../settings/settings.js';
import { command, endWith, onDatabase } from './command.js';

const syntax = {
  name: 'doctor',
  summary:
    'Checks the environment that it runs in. Prints one line per finding, and how to fix what is wrong. Changes nothing, except with --restored. Exits with 1 if the gateway could not start.',
  options: {
    restored: {
      help: 'instead of checking, makes every follower of changes begin again: run it after each restore of the database',
    },
  },
} as const;

/** The command `doctor`. */
export const runDoctorCommand = command(syntax, async ({ values }, environment, tell) => {
  if (values.restored)
    return onDatabase(parseSettings(environment), { tell, makesStore: false }, async (_models, { tasks }) => {
      await renewEpoch(databaseOf(tasks));
      return 'Every process refuses the cursors of changes that were issued before, within 15 seconds.';
    });
  tell(databaseName(environment));
  const { lines, exitCode } = await runDoctor(environment);
  return { stdout: lines.join('\n'), exitCode };
});

function databaseName(environment?: NodeJS.ProcessEnv): string {
  try {
    return describeDatabase(parseSettings(environment));
  } catch {
    // A finding says why.
    return 'the settings name no database';
  }
}

await endWith(import.meta, runDoctorCommand);
