import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Types } from 'mongoose';
import { archiveExpiredJobs } from '../../src/archiver/archive-expired-jobs.tasks.js';
import { jobList } from '../../src/job/job-list.js';
import { type Caller } from '../../src/tokens/caller.js';
import { jobStates } from '../../src/job/job-choices.rules.js';
import { stateAt } from '../../src/job/job-expiry.rules.js';
import { type JobRecord } from '../../src/job/job.record.js';
import { ownDatabase } from '../support/own-database.js';
import { taskRun } from '../support/task-run.js';

const now = new Date('2026-06-01T12:00:00.000Z');
const nearNow = fc.constantFrom(-2, -1, 0, 1, 2).map((ms) => new Date(now.getTime() + ms));

const caller = { roles: new Set(['media_admin']), media: new Set(['m']) } as unknown as Caller;
const { models } = ownDatabase();

/** Ends at, just before or just after now. */
const jobs = fc.array(fc.record({ state: fc.constantFrom(...jobStates), expiresAt: nearNow }), {
  minLength: 20,
  maxLength: 60,
});

it('lists and the archiving task agree with every read, to the millisecond (Contract 2.5.4, 2.5.5, 4.3.3)', async () => {
  await fc.assert(
    fc.asyncProperty(jobs, async (given) => {
      const all = given.map((job, index) => ({
        _id: new Types.ObjectId(),
        publicId: `job-${index}`,
        ...{ media: 'm', isCompanyInMedia: true },
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
        const compared = { within: {}, behind: {} };
        const list = jobList(caller, {
          ...{ media: 'm', sort: 'public_id', now, compared },
          filter: { states: [state] },
        })[0];
        const found = await models.jobs.find(list!.within).lean();
        return found.map(({ publicId }) => publicId).sort();
      };
      const inState = (state: string) =>
        [...expected].flatMap(([id, of]) => (of === state ? [id] : [])).sort();
      // A due job leaves `published` at once, and stands in `archived` once that is stored.
      const isDue = (id: string) => expected.get(id) !== all.find(({ publicId }) => publicId === id)?.state;
      for (const state of jobStates)
        expect(await listed(state)).toEqual(inState(state).filter((id) => !isDue(id)));
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
