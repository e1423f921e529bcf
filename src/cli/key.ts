import { command, endWith } from './command.js';
import { parseSettings } from '../settings.js';
import { retireKey, rotateKey } from '../access/key-rotation.js';

const syntax = {
  name: 'key',
  summary:
    'Makes the key set of JWT_KEY_FILE, readable by its owner only, or puts a new key first in it. The first key signs, from the next start of each process; all verify at once, until they are retired.',
  options: { retire: { value: 'KID', help: 'takes the key with this id out instead' } },
} as const;

/** The command `key` (Contract 12.1). */
export const runKeyCommand = command(syntax, async ({ values }, environment) => {
  // What production requires besides, such as a database, is of no use here.
  const { keyFile } = parseSettings({ ...(environment ?? process.env), NODE_ENV: undefined });
  if (keyFile === undefined)
    throw new Error(
      'JWT_KEY_FILE is not set: say in it where the key set is to be, and give it to the gateway too',
    );
  if (values.retire !== undefined) {
    const kids = await retireKey(keyFile, values.retire);
    return `${keyFile}: ${values.retire} is out, and stops working within 30 seconds; ${listOf(kids)}`;
  }
  const kids = await rotateKey(keyFile);
  return `${keyFile}: ${kids[0]} is new; ${listOf(kids)}`;
});

function listOf([signing = '', ...older]: readonly string[]): string {
  const signs = `${signing} signs from the next start`;
  return older.length === 0
    ? signs
    : `${signs}; older ones that verify until npm run key -- --retire=KID: ${older.join(', ')}`;
}

await endWith(import.meta, runKeyCommand);
