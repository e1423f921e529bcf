import { type Collection } from 'mongodb';
import { isDuplicateKey, isGivenUp, isTimeOver } from '../database/database-errors.js';
import { retryLostRace } from '../database/retry-lost-race.js';
import { type Bucket, buckets } from '../operations.js';
import { type Units } from '../permissions/request-context.js';
import { type Quota } from '../settings/setting-parsers.js';

/** The buckets of a subject: one document, so that one command spends all the units of an operation or none. */
type StoredBuckets = {
  /** When the last command ran, by the database's clock. */
  now: Date;
  isGranted: boolean;
} & Partial<Record<Bucket, { points: number; expire: Date }>>;

/** The units of a bucket until its window ends, as far as this process knows. */
export interface Window {
  remaining: number;
  /** By `performance.now()`. */
  endsAtMs: number;
}
export type Windows = Readonly<Partial<Record<Bucket, Window>>>;

interface Spending {
  isGranted: boolean;
  /** The windows that are open, as far as is known; after the units were granted, all of them. */
  windows: Windows;
}

/** Calls of one subject that are counted together. */
interface Batch {
  calls: Units[];
  hasBegun: boolean;
  counted: Promise<{ granted: readonly Units[]; windows: Windows }>;
}

/**
 * Counts the units of subjects in a database that processes share. rate-limiter-flexible can't serve here: its `RateLimiterMongo` counts
 * refused calls too, and by the process's clock, so a fast process would start a window early. Its `RateLimiterUnion` takes the same
 * number of units from each bucket, and keeps them where another bucket refuses.
 */
export class SharedLimiter {
  /**
   * The windows of subjects that were refused. Until their windows end, calls that ask for more than is left are refused without a query.
   */
  private readonly known = new Map<string, Windows>();
  /** The newest batch of each subject, until it is counted. */
  private readonly batches = new Map<string, Batch>();

  constructor(
    private readonly collection: Collection<StoredBuckets & { key: string }>,
    private readonly quotas: Readonly<Record<Bucket, Quota>>,
  ) {}

  /** Spends all the units or none. @throws the driver's error */
  async spend(subject: string, units: Units): Promise<Spending> {
    const known = openIn(this.known.get(subject));
    if (!this.fits(units, known)) return { isGranted: false, windows: known };
    // While a command counts a subject's calls, new calls wait, and the next command counts them together.
    const newest = this.batches.get(subject);
    const batch = newest && !newest.hasBegun ? newest : this.gather(subject, newest);
    batch.calls.push(units);
    const { granted, windows } = await batch.counted;
    return { isGranted: granted.includes(units), windows };
  }

  private gather(subject: string, earlier: Batch | undefined): Batch {
    const count = async () => {
      // If the earlier batch fails, fail too: while the database is away, one wait is enough.
      const known = await earlier?.counted;
      batch.hasBegun = true;
      return this.countAll(subject, batch.calls, known?.windows);
    };
    const batch: Batch = { calls: [], hasBegun: false, counted: Promise.resolve().then(count) };
    this.batches.set(subject, batch);
    const forget = () => this.batches.get(subject) === batch && this.batches.delete(subject);
    batch.counted.then(forget, forget);
    return batch;
  }

  /** Asks for the calls that fit, as far as is known, until the database grants them or none is left. */
  private async countAll(subject: string, calls: readonly Units[], earlier: Windows | undefined) {
    let windows = openIn(earlier);
    for (;;) {
      const granted = this.fitting(calls, windows);
      const isRefused = granted.length < calls.length;
      const stored = granted.length > 0 ? await this.count(subject, sumOf(granted)) : undefined;
      if (stored) windows = this.windowsOf(stored);
      if (stored && !stored.isGranted) continue;
      if (isRefused) this.remember(subject, windows);
      return { granted, windows };
    }
  }

  /** A cheaper call passes where an earlier one does not fit. */
  private fitting(calls: readonly Units[], windows: Windows): Units[] {
    const granted: Units[] = [];
    for (const call of calls) if (this.fits(sumOf([...granted, call]), windows)) granted.push(call);
    return granted;
  }

  private fits(units: Units, windows: Windows): boolean {
    return bucketsIn(units).every(
      (bucket) => units[bucket]! <= (windows[bucket]?.remaining ?? this.quotas[bucket].limit),
    );
  }

  private remember(subject: string, windows: Windows): void {
    for (const [other, each] of this.known)
      if (bucketsIn(openIn(each)).length === 0) this.known.delete(other);
    this.known.set(subject, windows);
  }

  private async count(subject: string, units: Units): Promise<StoredBuckets> {
    const asked = bucketsIn(units);
    const endOf = (seconds: number) => ({ $add: ['$now', seconds * 1_000] });
    const sum = (bucket: Bucket) => ({ $add: [`$${bucket}.points`, units[bucket]] });
    const isTooMuch = (bucket: Bucket) => ({ $gt: [sum(bucket), this.quotas[bucket].limit] });
    const ends = Object.values(this.quotas).map(({ durationSeconds }) => durationSeconds);
    const windows = asked.map((bucket) => {
      const fresh = { points: 0, expire: endOf(this.quotas[bucket].durationSeconds) };
      return [bucket, { $cond: [{ $gt: [`$${bucket}.expire`, '$now'] }, `$${bucket}`, fresh] }];
    });
    const spent = asked.map((bucket) => [
      `${bucket}.points`,
      { $cond: ['$isGranted', sum(bucket), `$${bucket}.points`] },
    ]);
    const isGranted = asked.reduce<object | boolean>(
      (others, bucket) => ({ $cond: [isTooMuch(bucket), false, others] }),
      true,
    );
    const update = [
      { $set: { now: '$$NOW' } },
      { $set: Object.fromEntries(windows) as object },
      // The index of `expire` removes the document.
      { $set: { isGranted, expire: endOf(Math.max(...ends)) } },
      { $set: Object.fromEntries(spent) as object },
    ];
    const options = { upsert: true, returnDocument: 'after' } as const;
    return retryLostRace(() =>
      this.collection.findOneAndUpdate({ key: `quotas:${subject}` }, update, options).catch(nullIfCollision),
    );
  }

  private windowsOf(stored: StoredBuckets): Windows {
    const now = performance.now();
    const windows = bucketsIn(stored).flatMap((bucket) => {
      const { points, expire } = stored[bucket]!;
      const leftMs = expire.getTime() - stored.now.getTime();
      // Another process can have had a higher limit.
      const remaining = Math.max(this.quotas[bucket].limit - points, 0);
      return leftMs > 0 ? [[bucket, { remaining, endsAtMs: now + leftMs }]] : [];
    });
    return Object.fromEntries(windows) as Windows;
  }
}

/** The buckets that have a value, tightest first. */
export const bucketsIn = (some: Partial<Record<Bucket, unknown>>): Bucket[] =>
  (Object.keys(buckets) as Bucket[]).filter((bucket) => some[bucket]);

export function sumOf(calls: readonly Units[]): Units {
  const sum: Partial<Record<Bucket, number>> = {};
  for (const units of calls)
    for (const bucket of bucketsIn(units)) sum[bucket] = (sum[bucket] ?? 0) + units[bucket]!;
  return sum;
}

const openIn = (windows: Windows = {}): Windows =>
  Object.fromEntries(Object.entries(windows).filter(([, { endsAtMs }]) => endsAtMs > performance.now()));

/** A parallel call inserted the document first, or the server gave up one of two that waited for each other. */
function nullIfCollision(error: unknown): null {
  if (isDuplicateKey(error) || (isGivenUp(error) && !isTimeOver(error))) return null;
  throw error;
}
