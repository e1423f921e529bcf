import { actorOption, command, endWith, readWaitMs, waitOption, withLeaseFor } from './command.js';
import { type Lease } from '../change/records-lease.js';
import { prepareDatabase, withModels } from '../models.js';
import { parseSettings } from '../settings/settings.js';
import { removeDemoData } from '../demo/remove-demo-data.js';
import { seedDemoData, type SeedCounts } from '../demo/seed.js';

const syntax = {
  name: 'seed',
  summary:
    'Adds the demo data to the database that the gateway’s settings name. Never changes existing records.',
  options: {
    yes: { help: 'confirms that production gets demo data' },
    remove: { help: 'removes the demo data, except what other records need' },
    wait: waitOption,
  },
} as const;

/** The command `seed` (Contract 12.2). */
export const runSeedCommand = command(syntax, async ({ values }, environment) => {
  const waitMs = readWaitMs(values.wait);
  const settings = parseSettings(environment);
  if (settings.environment === 'production' && !values.yes)
    throw new Error('NODE_ENV is production, and this is demo data: add --yes if you mean it');
  return withModels(settings, async (models, { description, isShared }) => {
    await prepareDatabase(models);
    const change = async ({ renew }: Lease) =>
      values.remove
        ? linesOf(
            await removeDemoData(models, renew),
            ({ removed, kept }) => `${removed} removed, ${kept} kept because other records need them`,
          )
        : linesOf(
            await seedDemoData(models, new Date(), settings.jobLifetimeMs, renew),
            ({ inserted, skipped, leftOut }, collection) =>
              `${inserted} inserted, ${skipped} left as ${skipped === 1 ? 'it was' : 'they were'}${
                leftOut > 0 ? `, ${leftOut} left out: ${whyLeftOut[collection]}` : ''
              }`,
          );
    const lines = await withLeaseFor(
      models,
      { command: 'seed', actor: actorOption.default, waitMs, isShared },
      change,
    );
    return [description, ...lines].join('\n');
  });
});

const whyLeftOut: Record<keyof SeedCounts, string> = {
  media: 'another media has the public id',
  companies: 'another company has the name, the domain or the public id',
  jobs: 'another job has the public id, or the company was left out',
  references: 'another reference has the public id, and is used instead',
};

const linesOf = <Name extends string, Count>(
  counts: Record<Name, Count>,
  describe: (count: Count, collection: Name) => string,
): string[] =>
  (Object.entries(counts) as [Name, Count][]).map(
    ([collection, count]) => `${collection.padEnd(10)} ${describe(count, collection)}`,
  );

await endWith(import.meta, runSeedCommand);
