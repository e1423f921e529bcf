import { type Model } from 'mongoose';
import { systemActor } from '../access/caller.js';
import { allOf } from '../content/all-of.rules.js';
import { boundedWrite } from '../database/bounded-write.js';
import { dueQuery, expiryExpression, overdueMs } from '../job/job.rules.js';
import { type JobRecord } from '../job/job.model.js';
import { assertVersioned } from '../history/version-write.rules.js';
import { skipDamaged } from './skip-damaged.js';
import { type Task, type TaskRun } from './task.js';

const batchSize = 1_000;

export interface ArchivingOptions {
  jobs: Model<JobRecord>;
  clock: () => Date;
  lifetimeMs: number;
  /** Called once per run: how overdue the oldest undamaged job of the first batch was when the run began; 0 if there is none. */
  onLag: (lagMs: number) => void;
  /** Called with the number of archived jobs. */
  onBatch: (count: number) => void;
}

/**
 * Archives all jobs past their lifetime, in one write per batch (Contract 3.3, 10.2). Parallel, repeated and interrupted runs are safe,
 * because an archived job no longer matches.
 * @returns true if every due job is archived or skipped; false if the process is stopping
 */
export async function archiveExpiredJobs(
  { jobs, clock, lifetimeMs, onLag, onBatch }: ArchivingOptions,
  { id, isStopping, renew, skip }: TaskRun,
): Promise<boolean> {
  const skipped: JobRecord['_id'][] = [];
  for (let isFirst = true; ; isFirst = false) {
    const now = clock();
    const due = dueQuery(now, lifetimeMs);
    const batch = await jobs
      .find(allOf(due, { _id: { $nin: skipped } }), { publicId: 1, version: 1, state: 1, publishedAt: 1 })
      .sort({ publishedAt: 1 })
      .limit(batchSize)
      .lean<Pick<JobRecord, '_id' | 'publicId' | 'version' | 'state' | 'publishedAt'>[]>();
    let archived = 0;
    const archive = async (some: readonly (typeof batch)[number][]) => {
      some.forEach(assertVersioned);
      const { modifiedCount } = await jobs.updateMany(
        allOf({ _id: { $in: some.map(({ _id }) => _id) } }, due),
        archivingOf(lifetimeMs, id),
        { updatePipeline: true, ...boundedWrite },
      );
      archived += modifiedCount;
    };
    const damaged = batch.length > 0 ? await skipDamaged('job', batch, archive, { skip }) : [];
    skipped.push(...damaged.map(({ _id }) => _id));
    const oldest = batch.find((job) => !damaged.includes(job));
    if (isFirst) onLag((oldest && overdueMs(oldest, now, lifetimeMs)) ?? 0);
    // A write that failed half-way doesn't report how many jobs it archived, so count the undamaged jobs.
    if (oldest) onBatch(damaged.length > 0 ? batch.length - damaged.length : archived);
    if (batch.length === 0) return true;
    await renew();
    if (batch.length < batchSize) return true;
    if (isStopping()) return false;
  }
}

/** The database computes the version and the history entry from the job's own values. */
function archivingOf(lifetimeMs: number, requestId: string) {
  const version = { $add: ['$version', 1] };
  const updatedAt = expiryExpression(lifetimeMs);
  const entry = {
    version,
    at: updatedAt,
    actor: systemActor,
    transport: 'task',
    requestId,
    changes: [{ field: 'state', before: 'published', after: 'archived' }],
  };
  // Another tool may have written the record without `pendingHistory`.
  const pendingHistory = { $concatArrays: [{ $ifNull: ['$pendingHistory', []] }, [entry]] };
  return [{ $set: { state: 'archived', version, updatedAt, changedAt: '$$NOW', pendingHistory } }];
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
