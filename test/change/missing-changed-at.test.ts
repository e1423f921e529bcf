import { beforeEach, describe, expect, it } from '@jest/globals';
import { completeImportTask } from '../../src/archiver/upkeep.tasks.js';
import { insertWithChangedAt } from '../../src/database/insert-records.js';
import { noReach } from '../../src/job/job.record.js';
import { importInto } from '../support/commands.js';
import { ownGateway } from '../support/own-gateway.js';
import { graphql } from '../support/requests.js';
import { taskRun } from '../support/task-run.js';

const gateway = ownGateway({ ARCHIVER: 'off' });
beforeEach(() => gateway.reset());

const pendingChangedAt = new Date('9999-12-31T23:59:59.999Z');
const lists = [
  'jobs(mediaPublicId: "demo-media")',
  'jobs(mediaPublicId: "demo-media", filter: { updatedSince: "2020-01-01T00:00:00Z" })',
  'companies(mediaPublicId: "demo-media")',
  'changes(mediaPublicId: "demo-media")',
];

/** The lists that show the job or the company. */
async function showing(): Promise<string[]> {
  const token = await gateway.token();
  const shown: string[] = [];
  for (const list of lists) {
    const { body } = await graphql(
      gateway,
      `{ list: ${list} { edges { node { publicId } } } }`,
      {},
      { token },
    );
    expect(body.errors).toBeUndefined();
    const { edges } = body.data?.list as { edges: { node: { publicId: string } }[] };
    expect(edges.length).toBeGreaterThan(0);
    if (edges.some(({ node }) => ['acme', 'acme-office-manager'].includes(node.publicId))) shown.push(list);
  }
  return shown;
}

describe('a record that a killed import has inserted', () => {
  const leave = async () => {
    const { jobs, companies } = gateway.models;
    await jobs.updateOne(
      { publicId: 'acme-office-manager' },
      { $set: { changedAt: pendingChangedAt, ...noReach } },
    );
    await companies.updateOne({ publicId: 'acme' }, { $set: { changedAt: pendingChangedAt } });
    const old = { changedAt: new Date('2026-01-01') };
    await jobs.updateMany({ publicId: { $ne: 'acme-office-manager' } }, { $set: old });
    await companies.updateMany({ publicId: { $ne: 'acme' } }, { $set: old });
  };
  const haveChangedAt = async () => {
    const { jobs, companies } = gateway.models;
    const job = await jobs.findOne({ publicId: 'acme-office-manager' }).orFail().lean();
    const company = await companies.findOne({ publicId: 'acme' }).orFail().lean();
    return [job, company].map(({ changedAt }) => Math.abs(Number(changedAt) - Date.now()) < 60_000);
  };

  it.each([
    ['the hourly task', () => completeImportTask(gateway.models).run(taskRun)],
    [
      'the next import',
      () => importInto(gateway, { kind: 'job', public_id: 'acme-backend-engineer', salary: '1k' }),
    ],
  ])('is in no list until %s has set `changedAt`', async (_by, complete) => {
    await leave();
    expect(await showing()).toEqual([]);
    await complete();
    expect(await haveChangedAt()).toEqual([true, true]);
    // `changes` leaves out the last 5 s.
    expect(await showing()).toEqual(lists.slice(0, 3));
  });

  it('gets the time of the database, and a second record with its public id is refused', async () => {
    const job = await gateway.models.jobs.findOne({ publicId: 'acme-office-manager' }).orFail().lean();
    const { models } = gateway;
    await models.jobs.deleteOne({ publicId: job.publicId });
    const twin = { ...job, _id: (await models.companies.findOne().orFail().lean())._id };
    expect(await insertWithChangedAt(models.jobs.collection, [job, twin])).toEqual([1]);
    await models.companies.updateOne({ publicId: 'acme' }, { $currentDate: { changedAt: true } });
    expect(await haveChangedAt()).toEqual([true, true]);
  });
});
