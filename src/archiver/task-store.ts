import { MongoBackend } from '@agendajs/mongo-backend';
import { createHash } from 'node:crypto';
import { type Collection, type Db } from 'mongodb';
import { Types } from 'mongoose';
import { isDuplicateKey } from '../database/database-errors.js';

const collection = 'tasks';

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

  /** Stores a task or its new period, and brings a later next run forward. Agenda's `every` would end the lock of a running task. */
  async repeat(name: string, everyMs: number): Promise<void> {
    const latest = new Date(Date.now() + everyMs);
    await this.tasks.updateOne({ name, nextRunAt: { $gt: latest } }, { $set: { nextRunAt: latest } });
    // Workers that start at once store the same id, so only one of them succeeds.
    const _id = new Types.ObjectId(createHash('sha256').update(name).digest().subarray(0, 12));
    const first = { _id, nextRunAt: new Date(), lockedAt: null };
    const task = { $set: { repeatInterval: everyMs }, $setOnInsert: first };
    await this.tasks.updateOne({ name }, task, { upsert: true }).catch((error: unknown) => {
      if (!isDuplicateKey(error)) throw error;
    });
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
