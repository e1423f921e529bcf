import { afterEach, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { Types } from 'mongoose';
import { dueQuery } from '../../src/job/job-end.rules.js';
import { Client } from './support/client.js';
import { shareDatabase } from './support/installation.js';
import { expectChain, readAccounts } from './support/ledger.js';
import { endAll, type Running, startGatewayProcess } from '../support/process.js';
import { randomFor } from './support/random.js';

const expired = 10_000;
const live = 500;
const waves = 8;
const dayMs = 86_400_000;
const lifetimeMs = 90 * dayMs;

afterEach(endAll);

describe('two gateways and two archivers killed and restarted at random', () => {
  it(`archive all ${expired} expired jobs, and write each archiving into the history once (Contract 10.2.1, 10.2.2)`, async () => {
    const random = randomFor('archivers');
    const { environment, token, models, remove } = await shareDatabase();
    const pattern = await models.jobs.findOne({ publicId: 'acme-office-manager' }).lean();
    /** Half of the jobs have a chosen end. */
    const endOf = (index: number, endedMs: number) => {
      const expiresAt = new Date(Date.now() - endedMs);
      const shownMs = index % 2 ? lifetimeMs : random.between(0, lifetimeMs);
      return { publishedAt: new Date(expiresAt.getTime() - shownMs), expiresAt };
    };
    const insert = (from: number, to: number, endedMs: () => number) =>
      models.jobs.insertMany(
        Array.from({ length: to - from }, (_, index) => ({
          ...pattern,
          _id: new Types.ObjectId(),
          publicId: `mass-${from + index}`,
          state: 'published',
          ...endOf(from + index, endedMs()),
          version: 1,
          pendingHistory: [],
        })),
        { lean: true },
      );
    await insert(expired, expired + live, () => -random.between(dayMs, 90 * dayMs));

    const fleet: { role: Record<string, string>; process: Running }[] = [];
    const startAs = async (role: Record<string, string>) =>
      startGatewayProcess({ ...environment, ARCHIVE_EVERY: '400ms', LOG_LEVEL: 'info', ...role });
    for (const role of [{ ARCHIVER: 'off' }, { ARCHIVER: 'off' }, { ARCHIVER: 'on' }, { ARCHIVER: 'on' }])
      fleet.push({ role, process: await startAs(role) });

    let isOver = false;
    const acknowledged = new Map<string, string>();
    const callers = Array.from({ length: 3 }, async (_, caller) => {
      for (let count = 0; !isOver; count += 1) {
        const { process } = fleet[count % 2] ?? random.pick(fleet);
        const client = new Client(process.url, token);
        const job = `mass-${random.between(0, expired)}`;
        const salary = `c${caller} n${count}`;
        const { status } = await client.updateJob(job, { salary });
        if (status === 200) acknowledged.set(salary, job);
        client.close();
        await sleep(5);
      }
    });

    let kills = 0;
    for (let wave = 0; wave < waves; wave += 1) {
      await insert((wave * expired) / waves, ((wave + 1) * expired) / waves, () =>
        random.between(0, 30 * dayMs),
      );
      await sleep(random.between(100, 900));
      const victims = wave % 2 === 0 ? fleet.slice(2) : [random.pick(fleet)];
      for (const victim of victims) {
        await victim.process.end(random.between(0, 4) === 0 ? 'SIGTERM' : 'SIGKILL');
        kills += 1;
      }
      await Promise.all(
        victims.map(async (victim) => {
          victim.process = await startAs(victim.role);
        }),
      );
    }
    isOver = true;
    await Promise.all(callers);

    const due = dueQuery(new Date());
    const deadlineMs = performance.now() + 30_000;
    while ((await models.jobs.countDocuments(due)) > 0 && performance.now() < deadlineMs) await sleep(100);
    expect(await models.jobs.countDocuments(due)).toBe(0);

    const accounts = await readAccounts(models, { publicId: /^mass-/ });
    expect(accounts).toHaveLength(expired + live);
    const salaries = new Map<string, string>();
    for (const account of accounts) {
      const { job, entries } = account;
      const isExpired = Number(job.publicId.slice(5)) < expired;
      const archivings = entries.filter(({ changes }) => changes.some(({ field }) => field === 'state'));
      expect(archivings).toHaveLength(isExpired ? 1 : 0);
      expect(job.state).toBe(isExpired ? 'archived' : 'published');
      const [archiving] = archivings;
      if (archiving) {
        expect(archiving).toMatchObject({ actor: 'system', transport: 'task' });
        expect(archiving.at).toEqual(job.expiresAt);
      }
      expectChain(account, 'salary');
      for (const { changes } of entries) {
        const salary = changes.find(({ field }) => field === 'salary')?.after as string | undefined;
        if (salary) salaries.set(salary, job.publicId);
      }
    }
    const lost = [...acknowledged].filter(([salary, job]) => salaries.get(salary) !== job);
    expect(lost).toEqual([]);
    process.stdout.write(`archivers: ${kills} killed, ${acknowledged.size} updates acknowledged meanwhile\n`);
    await remove();
  }, 240_000);
});
