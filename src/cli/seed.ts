import {
  actorOption,
  command,
  endWith,
  onDatabase,
  readWaitMs,
  waitOption,
  withLeaseFor,
} from './command.js';
import { prepareDatabase } from '../models.js';
import { parseSettings } from '../settings/settings.js';
import { removeDemoData } from '../demo/remove-demo-data.js';
import { isEmpty, seedDemoData } from '../demo/seed.js';

const syntax = {
  name: 'seed',
  summary: 'Adds the demo data to the database that the gateway’s settings name, if it holds no media.',
  options: {
    yes: { help: 'confirms that production gets demo data' },
    remove: { help: 'removes the demo data, except what other records need' },
    wait: waitOption,
  },
} as const;

/** The command `seed`. */
export const runSeedCommand = command(syntax, async ({ values }, environment, tell) => {
  const waitMs = readWaitMs(values.wait);
  const settings = parseSettings(environment);
  if (settings.environment === 'production' && !values.yes)
    throw new Error('NODE_ENV is production, and this is demo data: add --yes if you mean it');
  return onDatabase(settings, { tell, makesStore: true }, async (models, { isShared }) => {
    await prepareDatabase(models);
    const holder = { command: 'seed', actor: actorOption.default, waitMs, isShared };
    return withLeaseFor(models, holder, tell, async ({ renew }) => {
      if (values.remove)
        return linesOf(
          await removeDemoData(models, renew),
          ({ removed, kept }) => `${removed} removed, ${kept} kept because other records need them`,
        );
      if (!(await isEmpty(models))) return 'The database holds media already: nothing was added.';
      const added = await seedDemoData(models, new Date(), settings.jobLifetimeMs, renew);
      return linesOf(added, (count) => `${count} added`);
    });
  });
});

const linesOf = <Count>(
  counts: Readonly<Record<string, Count>>,
  describe: (count: Count) => string,
): string =>
  Object.entries(counts)
    .map(([kind, count]) => `${kind.padEnd(10)} ${describe(count)}`)
    .join('\n');

await endWith(import.meta, runSeedCommand);
