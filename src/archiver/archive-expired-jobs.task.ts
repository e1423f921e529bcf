import { type Model } from 'mongoose';
import { type JobRecord } from '../job/job.model.js';

/** Jobs that one write archives. */
const batchSize = 1_000;

export interface ArchivingOptions {
  jobs: Model<JobRecord>;
  clock: () => Date;
  lifetimeMs: number;
  /** Told how long the oldest due job has waited when the run began, in milliseconds; 0 when none was due. */
  onLag: (lagMs: number) => void;
  onArchived: (count: number) => void;
  /** Asked between batches: whether the process is stopping. */
  isStopping: () => boolean;
}

/**
 * Stores the archiving of every job past its lifetime, with its history entry, in one write a batch (Contract 3.3,
 * 10.2). Any number of workers may run it at once, and it may be repeated or die halfway: a job that one of them has
 * archived matches for no other.
 */
export async function archiveExpiredJobs(options: ArchivingOptions, requestId: string): Promise<void> {
  const { jobs, clock, lifetimeMs, onLag, onArchived, isStopping } = options;
  let isFirst = true;
  for (;;) {
    const dueBefore = new Date(clock().getTime() - lifetimeMs);
    const due = { state: 'published' as const, publishedAt: { $lte: dueBefore } };
    const batch = await jobs
      .find(due, { _id: 1, publishedAt: 1 })
      .sort({ publishedAt: 1 })
      .limit(batchSize)
      .lean<Pick<JobRecord, '_id' | 'publishedAt'>[]>();
    if (isFirst) onLag(dueBefore.getTime() - (batch[0]?.publishedAt ?? dueBefore).getTime());
    isFirst = false;
    if (batch.length === 0) return;

    const archiving = {
      version: { $add: ['$version', 1] },
      at: { $add: ['$publishedAt', lifetimeMs] },
      actor: 'system',
      transport: 'task',
      requestId,
      changes: [{ field: 'state', before: 'published', after: 'archived' }],
    };
    const { modifiedCount } = await jobs.updateMany(
      { _id: { $in: batch.map(({ _id }) => _id) }, ...due },
      [
        {
          $set: {
            state: 'archived',
            version: { $add: ['$version', 1] },
            pendingHistory: { $concatArrays: ['$pendingHistory', [archiving]] },
          },
        },
      ],
      { updatePipeline: true },
    );
    onArchived(modifiedCount);
    if (batch.length < batchSize || isStopping()) return;
  }
}
