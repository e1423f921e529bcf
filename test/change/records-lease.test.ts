import { beforeEach, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { completeImportTask } from '../../src/archiver/upkeep.tasks.js';
import { LeaseHeldError, LeaseLostError, withLease } from '../../src/change/records-lease.js';
import { runEraseCommand } from '../../src/cli/erase.js';
import { runSeedCommand } from '../../src/cli/seed.js';
import { commandsOn, linesOf } from '../support/commands.js';
import { leasesOf, leaveLease, loseLease, markAsMoving } from '../support/lease.js';
import { ownGateway } from '../support/own-gateway.js';
import { taskRun } from '../support/task-run.js';
import { until } from '../support/until.js';

const gateway = ownGateway({ ARCHIVER: 'off' });
beforeEach(() => gateway.reset());

const holder = { command: 'import', actor: 'jo', host: 'host-1' };
const uri = () => gateway.settings.mongodbUri ?? '';
const environment = () => ({ NODE_ENV: 'test', MONGODB_URI: uri() });
const publicId = 'acme-backend-engineer';
const line = linesOf([{ kind: 'job', public_id: publicId, salary: '1k' }]);
const importOne = (...argv: string[]) => commandsOn(uri()).importFiles([...argv, '-'], line);
const hold = (work: () => Promise<void>) => withLease(gateway.models.media, holder, { waitMs: 0 }, work);
const heldBy = /import by jo on host-1, since \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC/;

describe('the lease of import, erase and seed (Contract 9.2.5, 9.2.6)', () => {
  it('makes a second command wait, and say once for whom', async () => {
    let second: ReturnType<typeof importOne> | undefined;
    await hold(async () => {
      second = importOne();
      await sleep(1_500);
      expect(await gateway.models.jobs.findOne({ publicId }).lean()).toMatchObject({ version: 1 });
    });
    const { code, stderr } = (await second) ?? {};
    expect(code).toBe(0);
    expect(stderr?.match(new RegExp(heldBy, 'g'))).toHaveLength(1);
    expect(await gateway.models.jobs.findOne({ publicId }).lean()).toMatchObject({ version: 2 });
  });

  it.each([
    ['import', () => importOne('--wait=0')],
    ['erase', async () => outcomeOf(await runEraseCommand(['--wait=0', 'a@b.example'], environment()))],
    ['seed', async () => outcomeOf(await runSeedCommand(['--wait=0'], environment()))],
  ])('is held: %s --wait=0 refuses at once, writes nothing and exits with 2', async (_name, run) => {
    await hold(async () => {
      expect(await run()).toMatchObject({ code: 2, stderr: expect.stringMatching(heldBy) });
      expect(await gateway.models.jobs.findOne({ publicId }).lean()).toMatchObject({ version: 1 });
    });
  });

  it('is not needed by a dry run', async () => {
    await hold(async () => {
      expect(await importOne('--dry-run', '--wait=0')).toMatchObject({ code: 0 });
    });
  });

  it('is free after 60 s without renewal by the database’s clock', async () => {
    await leaveLease(gateway.models, { ...holder, since: new Date() });
    const leases = leasesOf(gateway.models);
    const silentFor = (ms: number) =>
      leases.updateOne({}, { $set: { renewedAt: new Date(Date.now() - ms) } });
    await silentFor(55_000);
    await expect(hold(async () => undefined)).rejects.toThrow(LeaseHeldError);
    await silentFor(61_000);
    await hold(async () => undefined);
  });

  it('is free at once where no other process can have the database open, as on the built-in store', async () => {
    await leaveLease(gateway.models);
    await leasesOf(gateway.models).updateOne({}, { $set: { renewedAt: new Date() } });
    const alone = { waitMs: 0, isShared: false };
    await expect(withLease(gateway.models.media, holder, alone, async () => 'done')).resolves.toBe('done');
  });

  it('is renewed while its holder works', async () => {
    const renewedAt = async () => Number((await leasesOf(gateway.models).findOne())?.renewedAt);
    await hold(async () => {
      const before = await renewedAt();
      await until(async () => (await renewedAt()) > before);
    });
  });

  it('that was lost ends its command before the next batch, and stays with the new holder', async () => {
    const lost = withLease(gateway.models.media, holder, { waitMs: 0 }, async (lease) => {
      await lease.renew();
      await loseLease(gateway.models);
      await withLease(gateway.models.media, { ...holder, actor: 'ann' }, { waitMs: 0 }, async () => {
        await expect(lease.renew()).rejects.toThrow(LeaseLostError);
        await lease.renew();
      });
    });
    await expect(lost).rejects.toThrow('another command has taken over');
  });

  it('is left to a running command by the hourly task', async () => {
    const isDue = async () => (await gateway.models.companies.exists({ isSyncDue: true })) !== null;
    const task = completeImportTask(gateway.models);
    await markAsMoving(gateway.models, 'acme', ['demo-media']);
    await hold(async () => {
      expect(await task.run(taskRun)).toBe(true);
      expect(await isDue()).toBe(true);
    });
    expect(await task.run(taskRun)).toBe(true);
    expect(await isDue()).toBe(false);
  });
});

const outcomeOf = ({ exitCode, stderr }: { exitCode: number; stderr: string }) => ({
  code: exitCode,
  stderr,
});
