import { afterAll, describe, expect, it } from '@jest/globals';
import { type CompanyRecord } from '../../src/company/company.record.js';
import { pendingChangedAt } from '../../src/database/insert-records.js';
import { type JobRecord, reachOf } from '../../src/job/job.record.js';
import { chainOf } from '../reliability/support/checker.js';
import { type Random } from '../reliability/support/random.js';
import { sending } from './support/process.js';
import { allMedia, brands, jobId } from './support/records.js';
import { type Mutant, without } from './support/stage.js';
import { type Call, count, firstBroken, planted, Theatre } from './support/theatre.js';

const theatre = new Theatre();
afterAll(() => theatre.close());

/** The company, and each job that lists can show, with what it should store of the company. */
function recordsNow() {
  const [company] = theatre.stage.documents('companies') as unknown as [CompanyRecord];
  const jobs = (theatre.stage.documents('jobs') as unknown as JobRecord[])
    .filter(({ changedAt }) => changedAt.getTime() !== pendingChangedAt.getTime())
    .map((job) => ({ ...job, of: reachOf(company, job.media) }));
  return { company, jobs };
}

/** An import that gives the company another brand and other media, moves one of its jobs, or adds one. */
function importOf(random: Random, requestId: string): Call {
  const some = allMedia.filter(() => random.between(0, 3) > 0);
  const memberships = some.map((media) => ({ media_public_id: media, is_published: true }));
  const company = { kind: 'company', public_id: 'acme', brand: random.pick(brands), memberships };
  const job = { kind: 'job', public_id: jobId, media_public_id: random.pick(allMedia) };
  const added = { ...job, public_id: 'added', company_public_id: 'acme', name: 'Added', state: 'published' };
  const line = random.pick([job, added, company, company, company]);
  return { isImport: true, send: (process, lease) => process.importLine(lease, line, requestId) };
}

const play = (mutant?: Mutant) => async (random: Random) => {
  const faults = new Set<string>();
  const calls = [importOf(random, 'import 1'), importOf(random, 'import 2')];
  const creation = { operation: 'createJob', value: 'new', jobPublicId: 'new-job' } as const;
  if (random.between(0, 3) === 0) calls.push({ send: sending(creation) });
  const memberships = random.pick([[], ['demo-media'], allMedia]);
  const beginning = { memberships, version: random.pick([1, 31]) };
  // A list is one query, so nobody sees too much if at each instant no job stores too much of its company.
  const watch = () => {
    for (const { publicId, isCompanyInMedia, brand, of } of recordsNow().jobs)
      if ((isCompanyInMedia && !of.isCompanyInMedia) || (brand !== null && brand !== of.brand))
        faults.add(
          `${publicId} is shown in ${isCompanyInMedia} ${brand}, its company is ${JSON.stringify(of)}`,
        );
  };
  const outcomes = await theatre.play({ calls, beginning, mutant, watch }, random);
  // The next import or the hourly task does this.
  await theatre.alone((process) => process.completeAll());
  const { company, jobs } = recordsNow();
  for (const { publicId, isCompanyInMedia, brand, of } of jobs)
    if (isCompanyInMedia !== of.isCompanyInMedia || brand !== of.brand)
      faults.add(`in the end, ${publicId} has ${isCompanyInMedia} ${brand}, not ${JSON.stringify(of)}`);
  for (const { publicId, isSyncDue } of [...jobs, company])
    if (isSyncDue) faults.add(`${publicId} is still marked`);
  const { length: all } = theatre.stage.documents('jobs');
  if (all !== jobs.length) faults.add(`${all - jobs.length} jobs are in no list`);
  const entries = chainOf({ ...company }, theatre.stage.documents('history'));
  const order = entries.map(({ requestId }) => requestId);
  const first = outcomes[0]!.startedAt < outcomes[1]!.startedAt ? 'import 1' : 'import 2';
  // An import that slept past its lease writes nothing after the next one has written.
  if (order.length === 2 && order[0] !== first) faults.add(`the company's entries are ${order.join()}`);
  return [...faults];
};

describe('imports that move a company and its jobs, beside a new job (Contract 3.3.5, 9.2.5)', () => {
  it(`never show too much, and in the end everything: ${count} schedules`, async () => {
    expect(await firstBroken('moves', play())).toBeNull();
  });

  type Write = { q: Record<string, unknown>; u: Record<string, Record<string, unknown>> };
  /** Changes each write of a command on a collection. */
  const writesOf =
    (collection: string, change: (write: Write) => object): Mutant =>
    (command) => {
      const updates = command.updates as Write[] | undefined;
      if (command.update !== collection || !updates) return command;
      return { ...command, updates: updates.map((write) => ({ ...write, ...change(write) })) };
    };
  const isNarrowing = ({ q, u }: Write) => 'companyVersion' in (u.$set ?? {}) && !('publicId' in q);

  it.each<[string, Mutant]>([
    [
      'a company were not marked',
      writesOf('companies', ({ u }) => (u.$set ? { u: { ...u, $set: without(u.$set, 'isSyncDue') } } : {})),
    ],
    [
      'jobs were not hidden before the company changes',
      writesOf('jobs', (write) => (isNarrowing(write) ? { q: { _id: 'none' } } : {})),
    ],
    [
      'an import that slept past its lease could still copy a company to its jobs',
      writesOf('jobs', ({ q }) => ({ q: without(q, 'companyVersion') })),
    ],
  ])('would break if %s', async (_, mutant) => {
    expect(await firstBroken('moves', play(mutant), planted)).not.toBeNull();
  });
});
