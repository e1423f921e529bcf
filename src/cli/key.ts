import { command, endWith } from './command.js';
import { parseSettings } from '../settings/settings.js';
import { retireKey, rotateKey } from '../tokens/key-rotation.js';

const syntax = {
  name: 'key',
  summary:
    'Creates the key set of JWT_KEY_FILE, readable by its owner only, or adds a new key in first place. The first key signs, from the next start of each process. All keys verify at once, until they are retired.',
  options: { retire: { value: 'KID', help: 'removes the key with this id instead' } },
} as const;

/** The command `key`. */
export const runKeyCommand = command(syntax, async ({ values }, environment) => {
  // This command does not need what production requires, such as a database.
  const { keyFile } = parseSettings({ ...(environment ?? process.env), NODE_ENV: undefined });
  if (keyFile === undefined)
    throw new Error(
      'JWT_KEY_FILE is not set: set it to the path of the key set, for this command and for the gateway',
    );
  if (values.retire !== undefined) {
    const kids = await retireKey(keyFile, values.retire);
    return `${keyFile}: ${values.retire} is removed, and stops working within 30 seconds; ${listOf(kids)}`;
  }
  const kids = await rotateKey(keyFile);
  return `${keyFile}: ${kids[0]} is new; ${listOf(kids)}`;
});

function listOf([signing = '', ...older]: readonly string[]): string {
  const signs = `${signing} signs from the next start`;
  return older.length === 0
    ? signs
    : `${signs}; older keys, which verify until you retire them with npm run key -- --retire=KID: ${older.join(', ')}`;
}

await endWith(import.meta, runKeyCommand);
