import { type Collection, type Model } from 'mongoose';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { databaseNow } from '../database/clock-skew.js';
import { databaseOf } from '../database/connect.js';
import { isDuplicateKey } from '../database/database-errors.js';

/** A holder that is silent this long has lost the lease, by the database's clock. */
const longestSilenceMs = 60_000;
const renewEveryMs = 10_000;
const pollMs = 500;

/** The command or task that changes the records of a database. */
export interface LeaseHolder {
  /** Such as `import`. */
  command: string;
  actor: string;
  host: string;
}

interface StoredLease extends Partial<LeaseHolder> {
  _id: string;
  /** Identifies the run that holds the lease. */
  token?: string;
  since?: Date;
  renewedAt: Date;
}

/** The one lease on the records of a database. */
export interface Lease {
  /** Call this before each batch. @throws LeaseLostError if another holder has taken the lease over */
  readonly renew: () => Promise<void>;
}

export class LeaseHeldError extends Error {
  override readonly name = 'LeaseHeldError';

  constructor(readonly by: HeldBy) {
    super(`another command is running, ${describeHolder(by)}: run this again later`);
  }
}

export class LeaseLostError extends Error {
  override readonly name = 'LeaseLostError';

  constructor() {
    super('another command has taken over, because this one was silent for 60 s: run it again');
  }
}

const id = 'records';
const released = { token: '', command: '', actor: '', host: '', since: '' } as const satisfies Record<
  keyof HeldBy | 'token',
  ''
>;

export type HeldBy = LeaseHolder & { since: Date };

const isHeld = (lease: StoredLease | null): lease is StoredLease & HeldBy => lease?.since !== undefined;

/** Such as `import by operator on host-1, since 2026-11-28 10:02:03 UTC`. */
export const describeHolder = ({ command, actor, host, since }: HeldBy): string =>
  `${command} by ${actor} on ${host}, since ${since.toISOString().slice(0, 19).replace('T', ' ')} UTC`;

interface Wait {
  waitMs: number;
  /** Called once if the lease is held. */
  onWait?: (by: HeldBy) => void;
  /** Whether other processes can have the database open; default true. If not, a stored holder is dead. */
  isShared?: boolean;
}

/**
 * Runs the work while no other holder of the lease runs. A holder that dies loses the lease 60 s after its last renewal.
 * @param model any model of the database
 * @throws LeaseHeldError if the lease is still held after `wait.waitMs`
 */
export async function withLease<T, Stored>(
  model: Model<Stored>,
  holder: LeaseHolder,
  wait: Wait,
  work: (lease: Lease) => Promise<T>,
): Promise<T> {
  const leases = databaseOf(model.db).collection<StoredLease>('leases') as unknown as Collection<StoredLease>;
  const token = randomUUID();
  await take(leases, model, { ...holder, token }, wait);
  const own = { _id: id, token };
  const renew = async () => {
    const { matchedCount } = await leases.updateOne(own, { $currentDate: { renewedAt: true } });
    if (matchedCount === 0) throw new LeaseLostError();
  };
  // A failed renewal shows before the next batch.
  const timer = setInterval(() => void renew().catch(() => undefined), renewEveryMs).unref();
  try {
    return await work({ renew });
  } finally {
    clearInterval(timer);
    // An actor can be an e-mail address, which nobody needs any more. If the database is away, the lease ends by itself.
    await leases
      .updateOne(own, { $set: { renewedAt: new Date(0) }, $unset: released })
      .catch(() => undefined);
  }
}

async function take<Stored>(
  leases: Collection<StoredLease>,
  model: Model<Stored>,
  holder: LeaseHolder & { token: string },
  { waitMs, onWait, isShared = true }: Wait,
): Promise<void> {
  await leases.insertOne({ _id: id, renewedAt: new Date(0) }).catch((error: unknown) => {
    if (!isDuplicateKey(error)) throw error;
  });
  const giveUpAtMs = performance.now() + waitMs;
  for (let hasTold = false; ; await sleep(pollMs)) {
    const now = (await databaseNow(model)) ?? new Date();
    const lostAt = new Date(now.getTime() - (isShared ? longestSilenceMs : 0));
    const lost = { _id: id, renewedAt: { $lte: lostAt } };
    const taking = { $set: holder, $currentDate: { since: true as const, renewedAt: true as const } };
    const { matchedCount } = await leases.updateOne(lost, taking);
    if (matchedCount > 0) return;
    const by = await leases.findOne({ _id: id });
    // Released since the update.
    if (!isHeld(by)) continue;
    if (performance.now() >= giveUpAtMs) throw new LeaseHeldError(by);
    if (!hasTold) onWait?.(by);
    hasTold = true;
  }
}
