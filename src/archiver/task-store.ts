import { MongoBackend } from '@agendajs/mongo-backend';
import { type Collection, type Db } from 'mongodb';

const collection = 'tasks';

/**
 * Where Agenda keeps its tasks. Agenda alone would wait for ever when its first connection fails, and would end the
 * process with an unhandled rejection when the database leaves while it gives back a lock: so this is opened before
 * Agenda sees it, and a lock that cannot be given back is left to its time.
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

  /** Makes the index of the tasks. @throws the driver's error when the database is away */
  async open(): Promise<void> {
    await super.connect();
  }

  /** Agenda's own call, which has nothing left to do. */
  override async connect(): Promise<void> {}

  /** A task whose period was shortened does not wait for the end of the old, longer one. */
  async hasten(name: string, latest: Date): Promise<void> {
    await this.tasks.updateOne({ name, nextRunAt: { $gt: latest } }, { $set: { nextRunAt: latest } });
  }

  /** Gives back the locks that a worker holds. */
  async release(worker: string): Promise<void> {
    await this.tasks.updateMany(
      { lastModifiedBy: worker, lockedAt: { $ne: null } },
      { $set: { lockedAt: null } },
    );
  }

  /** Whether some worker has ended the task well since the instant given. */
  async hasSucceededSince(name: string, instant: Date): Promise<boolean> {
    const found = await this.tasks.findOne({
      name,
      lastFinishedAt: { $gt: instant },
      failCount: { $in: [0, null] },
    });
    return found !== null;
  }
}
