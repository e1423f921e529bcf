import { type CommandResult } from '../access/token-command.js';
import { connect } from '../database/connect.js';
import { ensureIndexes, modelsOf } from '../database/models.js';
import { parseSettings } from '../settings.js';
import { seedDemoData, type SeedCounts } from './seed.js';

/**
 * The command `seed`: puts the demo data into the database of the environment's settings and says what it did.
 * Never throws: whatever is wrong stands in `stderr`, with exit code 1 and nothing in `stdout`.
 * @param environment default the environment of the process.
 */
export async function runSeedCommand(
  environment?: Readonly<Record<string, string | undefined>>,
): Promise<CommandResult> {
  try {
    const database = await connect(parseSettings(environment));
    try {
      const models = modelsOf(database.connection);
      await ensureIndexes(models);
      const counts = await seedDemoData(models, new Date());
      return { stdout: `${database.description}\n${summaryOf(counts)}`, stderr: '', exitCode: 0 };
    } finally {
      await database.close();
    }
  } catch (error) {
    return { stdout: '', stderr: (error as Error).message, exitCode: 1 };
  }
}

const summaryOf = (counts: SeedCounts): string =>
  Object.entries(counts)
    .map(
      ([collection, { inserted, skipped }]) =>
        `${collection.padEnd(10)} ${inserted} inserted, ${skipped} left as ${skipped === 1 ? 'it was' : 'they were'}`,
    )
    .join('\n');
