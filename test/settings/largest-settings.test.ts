import { expect, it } from '@jest/globals';
import { type Definition, settingsTable } from '../../src/settings/settings-table.js';
import { ownGateway } from '../support/own-gateway.js';

/** The largest durations, quota and size that any setting takes. */
const largest = ['3650d', '6d', '1000000000/24d', '1024MiB'];

/** Undefined for a setting that is not an amount. */
function largestOf({ parse }: Definition): string | undefined {
  const isTaken = (text: string) => {
    try {
      return Boolean(parse(text));
    } catch {
      return false;
    }
  };
  if (isTaken('any text')) return undefined;
  let count = 0;
  for (let more = 2 ** 30; more >= 1; more /= 2) if (isTaken(String(count + more))) count += more;
  return largest.find(isTaken) ?? (count > 0 ? String(count) : undefined);
}

const amounts = Object.values(settingsTable).flatMap((definition) => {
  const amount = largestOf(definition);
  return amount === undefined ? [] : [[definition.variable, amount] as const];
});

const gateway = ownGateway({ ...Object.fromEntries(amounts), PORT: '0' });

it('a gateway with the largest value of every setting starts and answers (Contract 9.3.5)', async () => {
  expect(gateway.settings).toMatchObject({
    ...{ jobLifetimeMs: 3_650 * 86_400_000, databaseTimeoutMs: 6 * 86_400_000, databasePoolSize: 1_000 },
    readQuota: { limit: 1_000_000_000, durationSeconds: 24 * 86_400 },
    bodyMaxBytes: 2 ** 30,
  });
  const { status } = await fetch(`${gateway.url}/jobs/acme-backend-engineer`, {
    headers: { authorization: `Bearer ${await gateway.token()}` },
  });
  expect(status).toBe(200);
});
