import { MongoBackend } from '@agendajs/mongo-backend';
import { type Collection, type Db, type IndexDescription } from 'mongodb';

const collection = 'tasks';

/** The indexes that Agenda creates when it connects, listed by collection. Agenda doesn't export this list. */
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
 * Agenda's store with two changes. Agenda would wait forever if its first connection failed, so we open the store first. If the
 * database goes away while Agenda releases a lock, Agenda ends the process; here the lock expires instead.
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

  /** Connects and creates the indexes. @throws the driver's error if the database is away */
  async open(): Promise<void> {
    await super.connect();
  }

  /** Agenda calls this, but the store is open already. */
  override async connect(): Promise<void> {}

  /** Brings the task's next run forward to `latest` if it is later. */
  async hasten(name: string, latest: Date): Promise<void> {
    await this.tasks.updateOne({ name, nextRunAt: { $gt: latest } }, { $set: { nextRunAt: latest } });
  }

  /** Releases all locks of a worker. */
  async release(worker: string): Promise<void> {
    await this.tasks.updateMany(
      { lastModifiedBy: worker, lockedAt: { $ne: null } },
      { $set: { lockedAt: null } },
    );
  }

  /** Whether any worker has completed a run of the task without a failure since `instant`. */
  async hasSucceededSince(name: string, instant: Date): Promise<boolean> {
    const found = await this.tasks.findOne({
      name,
      lastFinishedAt: { $gt: instant },
      failCount: { $in: [0, null] },
    });
    return found !== null;
  }
}
