import { type Model } from 'mongoose';
import { systemActor } from '../history/history-entry.js';
import { boundedWrite } from '../database/insert-records.js';
import { allOf, projectionOf } from '../paging/query.rules.js';
import { dueQuery } from '../job/job-expiry.rules.js';
import { type JobRecord } from '../job/job.record.js';
import { jobSchema } from '../job/job.mongoose.js';
import { collectionOf } from '../database/collection-of.js';
import { ReadableRecords } from '../database/readable-records.js';
import { type Task, type TaskRun } from './task.js';

const batchSize = 1_000;

/** The write computes the archived job from these. */
const paths = ['_id', 'publicId', 'version', 'expiresAt', 'pendingHistory.version'];
const readable = new ReadableRecords(jobSchema, paths);

type EndingJob = Pick<JobRecord, '_id' | 'publicId' | 'version' | 'expiresAt'>;

export interface ArchivingOptions {
  jobs: Model<JobRecord>;
  clock: () => Date;
  /** Called once per run: how overdue the oldest job of the first batch was when the run began; 0 if there is none. */
  onLag: (lagMs: number) => void;
  /** Called with the number of archived jobs. */
  onBatch: (count: number) => void;
}

/**
 * Archives all jobs past their end, in one write per batch. Parallel, repeated and interrupted runs are safe, because an
 * archived job no longer matches.
 * @returns true if every due job is archived or skipped; false if the process is stopping
 */
export async function archiveExpiredJobs(
  { jobs, clock, onLag, onBatch }: ArchivingOptions,
  { id, isStopping, renew }: TaskRun,
): Promise<boolean> {
  const collection = collectionOf(jobs);
  const skipped: JobRecord['_id'][] = [];
  for (let isFirst = true; ; isFirst = false) {
    const now = clock();
    const due = dueQuery(now);
    const batch = await jobs
      .find(allOf(due, { _id: { $nin: skipped } }), projectionOf(paths))
      .sort({ expiresAt: 1 })
      .limit(batchSize)
      .lean<EndingJob[]>();
    if (batch.length === 0 && isFirst) onLag(0);
    if (batch.length === 0) return true;
    const ending = batch.filter((job) => {
      const isReadable = readable.has(collection, job);
      if (!isReadable) skipped.push(job._id);
      return isReadable;
    });
    if (isFirst) onLag(now.getTime() - (ending[0]?.expiresAt ?? now).getTime());
    const { modifiedCount } = await jobs.updateMany(
      allOf(due, { publicId: { $in: ending.map(({ publicId }) => publicId) } }),
      archivingOf(id),
      { updatePipeline: true, ...boundedWrite },
    );
    if (ending.length > 0) onBatch(modifiedCount);
    await renew();
    if (batch.length < batchSize) return true;
    if (isStopping()) return false;
  }
}

/** The database computes the version and the history entry from the job's own values. */
function archivingOf(requestId: string) {
  const version = { $add: ['$version', 1] };
  const entry = {
    version,
    at: '$expiresAt',
    actor: systemActor,
    transport: 'task',
    requestId,
    changes: [{ field: 'state', before: 'published', after: 'archived' }],
  };
  const pendingHistory = { $concatArrays: ['$pendingHistory', [entry]] };
  return [
    {
      $set: {
        ...{ state: 'archived', version, updatedAt: '$expiresAt', pendingHistory },
        ...{ archivedAt: '$$NOW', changedAt: '$$NOW' },
      },
    },
  ];
}

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
