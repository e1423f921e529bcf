import { type Model } from 'mongoose';
import { systemActor } from '../access/caller.js';
import { dueQuery, expiryExpression, overdueMs } from '../job/job-state.rules.js';
import { type JobRecord } from '../job/job.model.js';
import { type Task, type TaskRun } from './task.js';

/** The most jobs that one write archives. */
const batchSize = 1_000;

export interface ArchivingOptions {
  jobs: Model<JobRecord>;
  clock: () => Date;
  lifetimeMs: number;
  /** Called with how long the oldest due job had waited when the run began, in milliseconds; 0 if none was due. */
  onLag: (lagMs: number) => void;
  /** Called with the number of jobs that a batch archived. */
  onBatch: (count: number) => void;
}

/**
 * Archives all jobs past their lifetime, each with a history entry, in one write a batch (Contract 3.3, 10.2). Any number of
 * workers may run this at once, and a run may be repeated or die halfway: an archived job no longer matches. Due jobs are found
 * in an index of published jobs only, so a run that finds none costs the same however many jobs there are.
 * @returns true if every due job is archived; false if the process stopped first
 */
export async function archiveExpiredJobs(
  { jobs, clock, lifetimeMs, onLag, onBatch }: ArchivingOptions,
  { id, isStopping, renew }: TaskRun,
): Promise<boolean> {
  for (let isFirst = true; ; isFirst = false) {
    const now = clock();
    const due = dueQuery(now, lifetimeMs);
    const batch = await jobs
      .find(due, { _id: 1, state: 1, publishedAt: 1 })
      .sort({ publishedAt: 1 })
      .limit(batchSize)
      .lean<Pick<JobRecord, '_id' | 'state' | 'publishedAt'>[]>();
    if (isFirst) onLag((batch[0] && overdueMs(batch[0], now, lifetimeMs)) ?? 0);
    if (batch.length === 0) return true;

    const { modifiedCount } = await jobs.updateMany(
      { _id: { $in: batch.map(({ _id }) => _id) }, ...due },
      archivingOf(lifetimeMs, id),
      { updatePipeline: true },
    );
    onBatch(modifiedCount);
    await renew();
    if (batch.length < batchSize) return true;
    if (isStopping()) return false;
  }
}

/** The update that archives a job. The database computes version and history entry from the job's own values. */
function archivingOf(lifetimeMs: number, requestId: string) {
  const version = { $add: ['$version', 1] };
  const entry = {
    version,
    at: expiryExpression(lifetimeMs),
    actor: systemActor,
    transport: 'task',
    requestId,
    changes: [{ field: 'state', before: 'published', after: 'archived' }],
  };
  // A record written by another tool may lack the list.
  const pendingHistory = { $concatArrays: [{ $ifNull: ['$pendingHistory', []] }, [entry]] };
  return [{ $set: { state: 'archived', version, pendingHistory } }];
}

/** The task that archives expired jobs, with reports for the metrics. */
export const archiveExpiredJobsTask = ({
  everyMs,
  onRun,
  ...options
}: ArchivingOptions & { everyMs: number; onRun: (seconds: number) => void }): Task => ({
  name: 'archive-expired-jobs',
  everyMs,
  isVital: true,
  run: async (control) => {
    const startedMs = performance.now();
    const isComplete = await archiveExpiredJobs(options, control);
    onRun((performance.now() - startedMs) / 1_000);
    return isComplete;
  },
});
