import { randomUUID } from 'node:crypto';
import {
  actorOption,
  command,
  couldNotRun,
  endWith,
  onDatabase,
  readActor,
  readWaitMs,
  usageFault,
  waitOption,
  withLeaseFor,
} from './command.js';
import { removeJobs } from '../change/remove-jobs.js';
import { type Lease } from '../change/records-lease.js';
import { retryLostRace } from '../database/retry-lost-race.js';
import { type Models } from '../models.js';
import { parseSettings } from '../settings/settings.js';
import { withoutSecrets } from '../log/log.js';
import { eraseAddress } from '../exchange/erase/erase-address.js';
import { redactionOf } from '../exchange/erase/redact.rules.js';

const syntax = {
  name: 'erase',
  positionals: '[ADDRESS]',
  summary:
    'Removes an e-mail address from every record and from the history, keeps everything else, and prints how much it changed. With --job and without an address, removes one job with its history.',
  options: {
    job: { value: 'ID', help: 'removes the job with this public id, whatever its state' },
    actor: actorOption,
    wait: waitOption,
  },
} as const;

const addressPattern = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

/** The command `erase`. If the address stays anywhere, `stderr` says where and why, and the exit code is 2. */
export const runEraseCommand = command(syntax, async ({ values, positionals }, environment, tell) => {
  const { job } = values;
  const [address = '', ...others] = positionals;
  if (job === undefined ? !addressPattern.test(address) || others.length > 0 : positionals.length > 0)
    throw usageFault(syntax, 'Give one e-mail address, or --job and a public id.');
  const actor = readActor(syntax, values.actor);
  const waitMs = readWaitMs(values.wait);
  return onDatabase(parseSettings(environment), { tell, makesStore: false }, (models, { isShared }) =>
    withLeaseFor(models, { command: 'erase', actor, waitMs, isShared }, tell, (lease) =>
      job === undefined ? eraseFrom(models, address, { actor, lease }) : removeJob(models, job),
    ),
  );
});

async function eraseFrom(models: Models, address: string, { actor, lease }: { actor: string; lease: Lease }) {
  const origin = { actor, transport: 'import', requestId: randomUUID() } as const;
  const { counts, left } = await eraseAddress(models, redactionOf(address), { origin, lease });
  const changed = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const stdout = [
    ...Object.entries(counts).map(([collection, count]) => `${collection.padEnd(12)} ${count} changed`),
    `${changed} changed`,
  ].join('\n');
  return left.length > 0
    ? { stdout, stderr: withoutSecrets(left.join('\n')), exitCode: couldNotRun }
    : stdout;
}

async function removeJob(models: Models, publicId: string): Promise<string> {
  return retryLostRace(async () => {
    const found = await models.jobs
      .findOne({ publicId }, { _id: 0, publicId: 1, version: 1, media: 1 })
      .lean();
    if (!found) throw new Error(`There is no job ${publicId}`);
    await removeJobs(models, [found]);
    return (await models.jobs.exists({ publicId })) ? null : `the job ${publicId} removed`;
  });
}

await endWith(import.meta, runEraseCommand);
