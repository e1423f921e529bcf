import { randomUUID } from 'node:crypto';
import {
  actorOption,
  command,
  couldNotRun,
  endWith,
  readActor,
  readWaitMs,
  usageFault,
  waitOption,
  withLeaseFor,
} from './command.js';
import { withModels } from '../models.js';
import { parseSettings } from '../settings/settings.js';
import { withoutSecrets } from '../log/log.js';
import { eraseAddress } from '../exchange/erase/erase-address.js';
import { redactionOf } from '../exchange/erase/redact.rules.js';

const syntax = {
  name: 'erase',
  positionals: 'ADDRESS',
  summary:
    'Removes an e-mail address from every record and from the history, keeps everything else, and prints how much it changed.',
  options: { actor: actorOption, wait: waitOption },
} as const;

const addressPattern = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

/** The command `erase` (Contract 12.5). If the address stays anywhere, `stderr` says where and why, and the exit code is 2. */
export const runEraseCommand = command(syntax, async ({ values, positionals }, environment) => {
  const [address = '', ...others] = positionals;
  if (!addressPattern.test(address) || others.length > 0)
    throw usageFault(syntax, 'Give one e-mail address.');
  const actor = readActor(syntax, values.actor);
  const waitMs = readWaitMs(values.wait);
  const settings = { ...parseSettings(environment), isRewritten: true };
  return withModels(settings, async (models, { description, isShared }) => {
    const origin = { actor, transport: 'import', requestId: randomUUID() } as const;
    const { counts, left } = await withLeaseFor(
      models,
      { command: 'erase', actor, waitMs, isShared },
      (lease) => eraseAddress(models, redactionOf(address), { origin, lease }),
    );
    const changed = Object.values(counts).reduce((sum, count) => sum + count, 0);
    const stdout = [
      description,
      ...Object.entries(counts).map(([collection, count]) => `${collection.padEnd(12)} ${count} changed`),
      `${changed} changed`,
    ].join('\n');
    return left.length > 0
      ? { stdout, stderr: withoutSecrets(left.join('\n')), exitCode: couldNotRun }
      : stdout;
  });
});

await endWith(import.meta, runEraseCommand);
