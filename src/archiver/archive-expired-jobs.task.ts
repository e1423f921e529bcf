import { type Model } from 'mongoose';
import { type JobRecord } from '../job/job.model.js';
import { type Task } from './task.js';

/** Jobs that one write archives. */
const batchSize = 1_000;

export interface ArchivingOptions {
  jobs: Model<JobRecord>;
  clock: () => Date;
  lifetimeMs: number;
  /** Told how long the oldest due job has waited when the run began, in milliseconds; 0 when none was due. */
  onLag: (lagMs: number) => void;
  /** Told how many jobs a batch has archived; the next one waits for it. */
  onBatch: (count: number) => Promise<void>;
  /** Asked between batches: whether the process is stopping. */
  isStopping: () => boolean;
}

/**
 * Stores the archiving of every job past its lifetime, with its history entry, in one write a batch (Contract 3.3,
 * 10.2). Any number of workers may run it at once, and it may be repeated or die halfway: a job that one of them has
 * archived matches for no other. What is due is found in an index of the published jobs alone, so that a run with
 * nothing due costs the same however many jobs there are.
 * @returns whether nothing that was due is left; false when the process is stopping
 */
export async function archiveExpiredJobs(options: ArchivingOptions, requestId: string): Promise<boolean> {
  const { jobs, clock, lifetimeMs, onLag, onBatch, isStopping } = options;
  for (let isFirst = true; ; isFirst = false) {
    const dueBefore = new Date(clock().getTime() - lifetimeMs);
    const due = { state: 'published' as const, publishedAt: { $lte: dueBefore } };
    const batch = await jobs
      .find(due, { _id: 1, publishedAt: 1 })
      .sort({ publishedAt: 1 })
      .limit(batchSize)
      // In one answer: drivers otherwise ask for the first 101, then again.
      .batchSize(batchSize)
      .lean<Pick<JobRecord, '_id' | 'publishedAt'>[]>();
    if (isFirst) onLag(dueBefore.getTime() - (batch[0]?.publishedAt ?? dueBefore).getTime());
    if (batch.length === 0) return true;

    const { modifiedCount } = await jobs.updateMany(
      { _id: { $in: batch.map(({ _id }) => _id) }, ...due },
      archivingOf(lifetimeMs, requestId),
      { updatePipeline: true },
    );
    await onBatch(modifiedCount);
    if (batch.length < batchSize) return true;
    if (isStopping()) return false;
  }
}

/** The state, the version and the history entry of a job that expired, in one write, each job's own. */
function archivingOf(lifetimeMs: number, requestId: string) {
  const version = { $add: ['$version', 1] };
  const entry = {
    version,
    at: { $add: ['$publishedAt', lifetimeMs] },
    actor: 'system',
    transport: 'task',
    requestId,
    changes: [{ field: 'state', before: 'published', after: 'archived' }],
  };
  // Records that another tool wrote may lack the list.
  const pendingHistory = { $concatArrays: [{ $ifNull: ['$pendingHistory', []] }, [entry]] };
  return [{ $set: { state: 'archived', version, pendingHistory } }];
}

/** The task that archives. It is told of each batch how many jobs it archived, and of each run how long it took. */
export const archiveExpiredJobsTask = ({
  everyMs,
  onBatch,
  onRun,
  ...options
}: Omit<ArchivingOptions, 'isStopping' | 'onBatch'> & {
  everyMs: number;
  onBatch: (count: number) => void;
  onRun: (seconds: number) => void;
}): Task => ({
  name: 'archive-expired-jobs',
  everyMs,
  isVital: true,
  run: async ({ id, isStopping, renew }) => {
    const startedMs = performance.now();
    const isComplete = await archiveExpiredJobs(
      {
        ...options,
        isStopping,
        onBatch: async (count) => {
          onBatch(count);
          await renew();
        },
      },
      id,
    );
    onRun((performance.now() - startedMs) / 1_000);
    return isComplete;
  },
});
