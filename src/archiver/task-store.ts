import { MongoBackend } from '@agendajs/mongo-backend';
import { type Collection, type Db, type IndexDescription } from 'mongodb';

const collection = 'tasks';

/** The indexes that Agenda makes as it is opened, by collection. It does not tell them. */
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
 * Agenda's own store with two changes. It would wait for ever if its first connection failed, so we open it before Agenda sees
 * it. And if the database went away amid the release of a lock, it would end the process; here the lock runs out.
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

  /** Creates the index of the tasks. @throws the driver's error if the database is away */
  async open(): Promise<void> {
    await super.connect();
  }

  /** Agenda calls this to connect, but the store is open already. */
  override async connect(): Promise<void> {}

  /** Brings the next run forward if it is later than the interval of the task allows. */
  async hasten(name: string, latest: Date): Promise<void> {
    await this.tasks.updateOne({ name, nextRunAt: { $gt: latest } }, { $set: { nextRunAt: latest } });
  }

  /** Releases the locks that a worker holds. */
  async release(worker: string): Promise<void> {
    await this.tasks.updateMany(
      { lastModifiedBy: worker, lockedAt: { $ne: null } },
      { $set: { lockedAt: null } },
    );
  }

  /** Whether any worker has completed the task since the given instant. */
  async hasSucceededSince(name: string, instant: Date): Promise<boolean> {
    const found = await this.tasks.findOne({
      name,
      lastFinishedAt: { $gt: instant },
      failCount: { $in: [0, null] },
    });
    return found !== null;
  }
}
