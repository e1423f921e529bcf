import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Types } from 'mongoose';
import { archiveExpiredJobs } from '../../src/archiver/archive-expired-jobs.tasks.js';
import { jobListQuery } from '../../src/job/job-list.rules.js';
import { jobStates } from '../../src/job/job-choices.rules.js';
import { stateAt } from '../../src/job/job-end.rules.js';
import { type JobRecord } from '../../src/job/job.record.js';
import { ownDatabase } from '../support/own-database.js';
import { taskRun } from '../support/task-run.js';

const now = new Date('2026-06-01T12:00:00.000Z');
const nearNow = fc.constantFrom(-2, -1, 0, 1, 2).map((ms) => new Date(now.getTime() + ms));

const { models } = ownDatabase();

/** Ends at, just before or just after now. */
const jobs = fc.array(fc.record({ state: fc.constantFrom(...jobStates), expiresAt: nearNow }), {
  minLength: 20,
  maxLength: 60,
});

it('lists and the archiving task agree with every read, to the millisecond (Contract 3.3.1, 3.3.2, 4.4.7)', async () => {
  await fc.assert(
    fc.asyncProperty(jobs, async (given) => {
      const all = given.map((job, index) => ({
        _id: new Types.ObjectId(),
        publicId: `job-${index}`,
        media: 'm',
        version: 1,
        pendingHistory: [],
        ...job,
      }));
      await models.jobs.deleteMany({});
      await models.jobs.collection.insertMany(all);
      const expected = new Map(all.map((job) => [job.publicId, stateAt(job, now)]));
      const run = () =>
        archiveExpiredJobs(
          { jobs: models.jobs, clock: () => now, onLag: () => undefined, onBatch: () => undefined },
          taskRun,
        );
      const listed = async (state: JobRecord['state']) => {
        const found = await models.jobs.find(jobListQuery({ states: [state] }, now)).lean();
        return found.map(({ publicId }) => publicId).sort();
      };
      const inState = (state: string) =>
        [...expected].flatMap(([id, of]) => (of === state ? [id] : [])).sort();
      for (const state of jobStates) expect(await listed(state)).toEqual(inState(state));
      expect(await run()).toBe(true);
      for (const state of jobStates) expect(await listed(state)).toEqual(inState(state));
      const after = await models.jobs.find().lean();
      for (const { publicId, state, version, updatedAt } of after) {
        const before = all.find((job) => job.publicId === publicId)!;
        const isArchivedNow = before.state !== state;
        expect(state).toBe(expected.get(publicId));
        expect([version, updatedAt ?? null]).toEqual(isArchivedNow ? [2, before.expiresAt] : [1, null]);
      }
    }),
    { numRuns: 20 },
  );
});
