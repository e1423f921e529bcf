import { afterAll, describe, expect, it } from '@jest/globals';
import { chainOf, faultsOf } from '../reliability/support/checker.js';
import { type Random } from '../reliability/support/random.js';
import { type Sending, sending } from './support/process.js';
import { type Mutant, without } from './support/stage.js';
import { count, firstBroken, planted, Theatre } from './support/theatre.js';

const theatre = new Theatre();
afterAll(() => theatre.close());

const kept = { value: 'kept', key: 'key' };
const updateJob: Sending = { operation: 'updateJob', ...kept };
const createNamedJob: Sending = { operation: 'createJob', ...kept, jobPublicId: 'new-job' };
const sendings: Sending[] = [
  updateJob,
  createNamedJob,
  { operation: 'updateCompany', ...kept },
  { operation: 'createJob', ...kept },
];

/** Sends a call with a key two or three times at once, beside a call without, then once more. */
const play = (mutant?: Mutant, only?: Sending) => async (random: Random) => {
  const keyed = only ?? random.pick(sendings);
  const other: Sending = { ...without(keyed, 'key'), operation: keyed.operation, value: 'other' };
  const sent = [keyed, keyed, random.pick([keyed, other, other])];
  const version = random.pick([1, 31]);
  const calls = sent.map((each) => ({ send: sending(each) }));
  const played = await theatre.play({ calls, beginning: { version }, mutant }, random);
  const isAnswerLost = random.between(0, 4) === 0;
  if (isAnswerLost) theatre.stage.empty('idempotency');
  const again = { sent: keyed, ...(await theatre.alone(sending(keyed))) };

  const outcomes = sent.map((each, index) => ({ sent: each, ...played[index]! }));
  const isRefused = again.end.kind === 'refused';
  const records = [...theatre.stage.documents('jobs'), ...theatre.stage.documents('companies')];
  const history = theatre.stage.documents('history');
  // Without the first answer, the repetition shows the current record.
  const repeated = isAnswerLost || isRefused ? [] : [again];
  const faults = faultsOf({ outcomes, repeated, records, history, from: version });
  const entries = records.flatMap((record) => chainOf(record, history));
  const times = entries.filter(({ changes }) => changes.some(({ after }) => after === kept.value)).length;
  if (times !== (isRefused ? 0 : 1)) faults.push(`made ${times} times, and then ${again.end.kind}`);
  if (again.end.kind === 'unknown') faults.push('sent again, it has no answer');
  return faults.map((fault) => `${keyed.operation} ${keyed.jobPublicId ?? ''}: ${fault}`);
};

describe('a call with a key, sent again at once and later, killed and without its answer (Contract 6.2.2)', () => {
  it(`makes its change once: ${count} schedules`, async () => {
    expect(await firstBroken('keys', play())).toBeNull();
  });

  it.each<[string, Sending, Mutant]>([
    [
      'the record does not keep the call',
      updateJob,
      (command) => {
        const update = command.update as { $push?: object } | undefined;
        if (!command.findAndModify || !update?.$push) return command;
        return { ...command, update: { ...update, $push: without(update.$push, 'keyedCalls') } };
      },
    ],
    [
      'a created job does not keep the call',
      createNamedJob,
      (command) =>
        command.insert === 'jobs'
          ? { ...command, documents: [without((command.documents as object[])[0], 'creationCall')] }
          : command,
    ],
  ])('would break if %s', async (_, only, mutant) => {
    expect(await firstBroken('keys', play(mutant, only), planted)).not.toBeNull();
  });
});
