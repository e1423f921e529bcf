import { afterAll, describe, expect, it } from '@jest/globals';
import { chainOf, faultsOf } from '../reliability/support/checker.js';
import { type Random } from '../reliability/support/random.js';
import { type Process, type Sending, sending } from './support/process.js';
import { jobId, startMs } from './support/records.js';
import { type Mutant, without } from './support/stage.js';
import { type Call, count, firstBroken, planted, Theatre } from './support/theatre.js';

const theatre = new Theatre();
afterAll(() => theatre.close());

const writersAt = (expectedVersion: number): (Partial<Sending> & { isImport?: boolean })[] => [
  {},
  { expectedVersion },
  { expiresAt: new Date(startMs + 40_000).toISOString() },
  { isImport: true },
];
const line = { kind: 'job', public_id: jobId };
const archive = (process: Process) => process.archive();

/** Two writers of one job, beside the archiver. */
const play = (mutant?: Mutant) => async (random: Random) => {
  const version = random.pick([1, 31]);
  const sent = ['first', 'second'].map((value) => ({
    ...{ operation: 'updateJob' as const, value },
    ...random.pick(writersAt(version)),
  }));
  const calls = sent.map(({ isImport = false, ...each }): Call => ({
    isImport,
    send: isImport
      ? (process, lease) => process.importLine(lease, { ...line, salary: each.value }, each.value)
      : sending(each),
  }));
  const beginning = { version, endsInMs: random.pick([0, 8_000, 1e9]) };
  const played = await theatre.play({ calls: [...calls, { send: archive }], beginning, mutant }, random);
  await theatre.alone(archive);

  const outcomes = sent.map((each, index) => ({ sent: each, ...played[index]! }));
  const records = theatre.stage.documents('jobs').filter(({ publicId }) => publicId === jobId);
  const history = theatre.stage.documents('history');
  const faults = faultsOf({ outcomes, repeated: [], records, history, from: version });
  const entries = chainOf(records[0]!, history);
  const archived = entries.filter(({ actor }) => actor === 'system').map((entry) => entry.version);
  if (archived.length > 1) faults.push(`archived ${archived.length} times`);
  for (const { value, expectedVersion } of sent) {
    const made = entries.filter(({ changes }) => changes.some(({ after }) => after === value));
    if (made.length > 1) faults.push(`${value} was made ${made.length} times`);
    // Before the update, the gateway archives a job whose end has come, under a version of its own.
    const from = made[0] && made[0].version - (archived.includes(made[0].version - 1) ? 2 : 1);
    if (expectedVersion !== undefined && from !== undefined && from !== expectedVersion)
      faults.push(`${value} changed version ${from}, not ${expectedVersion}`);
  }
  return faults.map((fault) => `${JSON.stringify(sent)}: ${fault}`);
};

describe('two writers of a job and the archiver (Contract 2.5.5, 6.1.3, 6.1.4, 8.1.1, 9.2.2)', () => {
  it(`leave one version and one entry for each change: ${count} schedules`, async () => {
    expect(await firstBroken('writers', play())).toBeNull();
  });

  it('would break if updates did not filter by version', async () => {
    const mutant: Mutant = (command) =>
      command.findAndModify === 'jobs' ? { ...command, query: without(command.query, 'version') } : command;
    expect(await firstBroken('writers', play(mutant), planted)).not.toBeNull();
  });
});
