import { callerKey, callerName } from '../tokens/caller-name.js';
import { longestSubject } from '../tokens/token-claims.js';
import { databaseOf } from '../database/connect.js';
import { parseSettings } from '../settings/settings.js';
import { command, endWith, onDatabase, usageFault } from './command.js';

const syntax = {
  name: 'caller',
  positionals: 'SUBJECT',
  summary:
    'Prints the name that the log has for a caller. With several identity providers, the subject has the prefix of its provider.',
  options: {},
} as const;

/** The command `caller`. */
export const runCallerCommand = command(syntax, async ({ positionals }, environment, tell) => {
  const [subject = '', ...others] = positionals;
  if (others.length > 0 || subject === '' || subject.length > longestSubject)
    throw usageFault(syntax, `Give one subject of 1 to ${longestSubject} characters.`);
  return onDatabase(parseSettings(environment), { tell, makesStore: false }, async (_models, { tasks }) =>
    callerName(await callerKey(databaseOf(tasks)), subject),
  );
});

await endWith(import.meta, runCallerCommand);
