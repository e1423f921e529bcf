import { type Model } from 'mongoose';
import { systemActor } from '../history/history-entry.js';
import { boundedWrite } from '../database/insert-absent.js';
import { allOf, projectionOf } from '../paging/query.rules.js';
import { dueQuery } from '../job/job-end.rules.js';
import { type JobRecord } from '../job/job.record.js';
import { assertVersioned } from '../history/version-write.rules.js';
import { skipDamaged } from './skip-damaged.js';
import { type Task, type TaskRun } from './task.js';

const batchSize = 1_000;

type EndingJob = Pick<JobRecord, '_id' | 'publicId' | 'version' | 'expiresAt'>;

export interface ArchivingOptions {
  jobs: Model<JobRecord>;
  clock: () => Date;
  /** Called once per run: how overdue the oldest undamaged job of the first batch was when the run began; 0 if there is none. */
  onLag: (lagMs: number) => void;
  /** Called with the number of archived jobs. */
  onBatch: (count: number) => void;
}

/**
 * Archives all jobs past their end, in one write per batch (Contract 10.2). Parallel, repeated and interrupted runs are safe, because an
 * archived job no longer matches.
 * @returns true if every due job is archived or skipped; false if the process is stopping
 */
export async function archiveExpiredJobs(
  { jobs, clock, onLag, onBatch }: ArchivingOptions,
  { id, isStopping, renew, skip }: TaskRun,
): Promise<boolean> {
  const skipped: JobRecord['_id'][] = [];
  const paths = projectionOf(['_id', 'publicId', 'version', 'expiresAt']);
  for (let isFirst = true; ; isFirst = false) {
    const now = clock();
    const due = dueQuery(now);
    const batch = await jobs
      .find(allOf(due, { _id: { $nin: skipped } }), paths)
      .sort({ expiresAt: 1 })
      .limit(batchSize)
      .lean<EndingJob[]>();
    let archived = 0;
    const archive = async (some: readonly EndingJob[]) => {
      some.forEach(assertSound);
      const { modifiedCount } = await jobs.updateMany(
        allOf(due, { publicId: { $in: some.map(({ publicId }) => publicId) } }),
        archivingOf(id),
        { updatePipeline: true, ...boundedWrite },
      );
      archived += modifiedCount;
    };
    const damaged = batch.length > 0 ? await skipDamaged('job', batch, archive, { skip }) : [];
    skipped.push(...damaged.map(({ _id }) => _id));
    const first = batch.find((job) => !damaged.includes(job));
    if (isFirst) onLag(now.getTime() - (first?.expiresAt ?? now).getTime());
    // A write that failed half-way doesn't report how many jobs it archived, so count the undamaged jobs.
    if (first) onBatch(damaged.length > 0 ? batch.length - damaged.length : archived);
    if (batch.length === 0) return true;
    await renew();
    if (batch.length < batchSize) return true;
    if (isStopping()) return false;
  }
}

function assertSound(job: EndingJob): void {
  assertVersioned(job);
  if (!(job.expiresAt instanceof Date)) throw new Error(`${job.publicId} is damaged: its end is not a date`);
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
  // Another tool may have written the record without `pendingHistory`.
  const pendingHistory = { $concatArrays: [{ $ifNull: ['$pendingHistory', []] }, [entry]] };
  return [
    { $set: { state: 'archived', version, updatedAt: '$expiresAt', changedAt: '$$NOW', pendingHistory } },
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
