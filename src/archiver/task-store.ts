import { MongoBackend } from '@agendajs/mongo-backend';
import { type Collection, type Db, type IndexDescription } from 'mongodb';

const collection = 'tasks';

/** Agenda's own indexes, which Agenda doesn't export. */
export const taskIndexes: Readonly<Record<string, readonly IndexDescription[]>> = {
  [collection]: [
    {
      name: 'findAndLockNextJobIndex',
      key: { name: 1, nextRunAt: 1, priority: -1, lockedAt: 1, disabled: 1 },
    },
  ],
  agenda_logs: [
    { name: 'agenda_logs_timestamp_idx', key: { timestamp: -1 } },
    { name: 'agenda_logs_job_id_idx', key: { jobId: 1, timestamp: -1 } },
    { name: 'agenda_logs_job_name_idx', key: { jobName: 1, timestamp: -1 } },
  ],
};

/**
 * Agenda would wait forever if its first connection failed, so we open the store first. If the database goes away while Agenda releases a
 * lock, Agenda would end the process; here the lock expires instead.
 */
export class TaskStore extends MongoBackend {
  private readonly tasks: Collection;

  constructor(
    database: Db,
    private readonly onError: (error: unknown) => void,
  ) {
    super({ mongo: database, collection });
    this.tasks = database.collection(collection);
    const { repository } = this;
    const unlockJob = repository.unlockJob.bind(repository);
    repository.unlockJob = (job) => unlockJob(job).catch(this.onError);
  }

  /** @throws the driver's error if the database is away */
  async open(): Promise<void> {
    await super.connect();
  }

  /** Agenda calls this, but the store is open already. */
  override async connect(): Promise<void> {}

  /** Stores the period of a task, and brings a later next run forward. False if the task is not stored yet. */
  async repeat(name: string, everyMs: number): Promise<boolean> {
    const latest = new Date(Date.now() + everyMs);
    await this.tasks.updateOne({ name, nextRunAt: { $gt: latest } }, { $set: { nextRunAt: latest } });
    const { matchedCount } = await this.tasks.updateOne({ name }, { $set: { repeatInterval: everyMs } });
    return matchedCount > 0;
  }

  async release(worker: string): Promise<void> {
    const held = { lastModifiedBy: worker, lockedAt: { $ne: null } };
    await this.tasks.updateMany(held, { $set: { lockedAt: null } });
  }

  async hasSucceededSince(name: string, instant: Date): Promise<boolean> {
    const found = await this.tasks.findOne({
      name,
      lastFinishedAt: { $gt: instant },
      failCount: { $in: [0, null] },
    });
    return found !== null;
  }
}
