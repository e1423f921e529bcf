import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Collection } from 'mongoose';
import { DomainError, unavailable } from '../errors/domain-error.js';
import { fieldFault, onArgument } from '../errors/field-fault.js';
import { isDuplicateKey, toDomainError } from '../database/database-errors.js';
import { type IdempotencyRecord } from './idempotency.record.js';
import { type KeyedCall, keyPattern, rememberedMs } from './keyed-call.js';

/** Without renewals, a call that waits long in a queue would lose its key. */
const renewEveryMs = 2_000;
/** After this long without a renewal, the process must be dead, even if renewals are slow and clocks are 5 s apart. */
const claimLifetimeMs = 10_000;
const abandonedBefore = (now: Date): Date => new Date(now.getTime() - claimLifetimeMs);
const insistEveryMs = 500;
/** How long a call waits for another call with its key. */
const longestWaitMs = 1_500;
const pollMs = 25;

const expected = {
  en: 'Use 1 to 255 visible ASCII characters.',
  fr: 'Utilisez de 1 à 255 caractères ASCII visibles.',
  parameters: { minimumLength: 1, maximumLength: 255 },
};

export interface RepeatableCall {
  /** The caller's authority: a caller with another authority makes another call. */
  authority: readonly string[];
  operation: string;
  key: string;
  /** Everything that must be equal in a repeated call, always serialized the same way. */
  input: string;
}

const digest = (...parts: string[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('base64url');

/** Runs a call once, and gives each repetition the same reply. */
export class IdempotencyService {
  constructor(
    private readonly records: Collection<IdempotencyRecord>,
    private readonly clock: () => Date,
  ) {}

  /**
   * Runs the call unless a call with its key has succeeded in the last 24 hours. If calls with one key arrive together, one runs and the
   * others wait. A success is returned only after it is stored; a rejected call is forgotten.
   *
   * If a process dies, its call holds the key for at most 10 s, or 15 s if clocks are 5 s apart. The next call finds in the record whether
   * an earlier one changed it.
   * @throws DomainError validation-failed for a malformed key; idempotency-key-reuse for another input; service-unavailable if another
   * call with the key takes too long, or has taken the key over
   * @throws whatever `run` throws
   */
  async once<T>(
    call: RepeatableCall,
    run: (call: KeyedCall) => Promise<T>,
  ): Promise<{ payload: T; isReplayed: boolean }> {
    if (!keyPattern.test(call.key)) {
      throw new DomainError('validation-failed', {
        faults: [onArgument(fieldFault.format('idempotencyKey', expected))],
      });
    }
    const id = digest(...call.authority, call.operation, call.key);
    const inputDigest = digest(call.input);
    const waitUntilMs = performance.now() + longestWaitMs;
    let record: IdempotencyRecord | null = null;
    while (performance.now() < waitUntilMs) {
      const isHeld = record && record.claimedAt > abandonedBefore(this.clock());
      const claim = isHeld ? null : await this.claim(id, inputDigest);
      if (claim) return { payload: await this.runClaimed(claim, run), isReplayed: claim.isReplayed };

      record = await this.records.findOne({ _id: id, expiresAt: { $gt: this.clock() } });
      if (!record) continue;
      if (record.inputDigest !== inputDigest) throw new DomainError('idempotency-key-reuse');
      if (record.payload !== undefined) return { payload: record.payload as T, isReplayed: true };
      await sleep(pollMs);
    }
    throw unavailable(new Error('another call with the same idempotency key is still running'));
  }

  /** Claims the key if it is new or expired, or if the process that held it died. Returns null if another call holds the key. */
  private async claim(id: string, inputDigest: string): Promise<Claim | null> {
    const now = this.clock();
    const claim = randomUUID();
    const fresh = { inputDigest, claim, claimedAt: now, expiresAt: new Date(now.getTime() + rememberedMs) };
    try {
      await this.records.updateOne(
        {
          _id: id,
          $or: [
            { expiresAt: { $lte: now } },
            { payload: { $exists: false }, claimedAt: { $lte: abandonedBefore(now) } },
          ],
        },
        { $set: fresh, $unset: { payload: '' } },
        { upsert: true },
      );
      return {
        ...{ filter: { _id: id, claim }, at: now, isReplayed: false },
        digest: { key: id, input: inputDigest },
      };
    } catch (error) {
      if (isDuplicateKey(error)) return null;
      throw error;
    }
  }

  private async runClaimed<T>(claim: Claim, run: (call: KeyedCall) => Promise<T>): Promise<T> {
    const renewal = setInterval(() => {
      const at = this.clock();
      // `$max` keeps a delayed renewal from overwriting a later one.
      this.records.updateOne(claim.filter, { $max: { claimedAt: at } }).catch(() => undefined);
    }, renewEveryMs).unref();
    try {
      const payload = await this.runOrRelease(claim, run);
      const remember = async () => this.records.updateOne(claim.filter, { $set: { payload } });
      const { matchedCount } = await remember().catch((error: unknown) => {
        void insist(remember);
        throw error;
      });
      // Another call has taken the key over, and its reply counts.
      if (matchedCount === 0)
        throw unavailable(new Error('the claim of the call was taken over while it ran'));
      return payload;
    } finally {
      clearInterval(renewal);
    }
  }

  private async runOrRelease<T>(claim: Claim, run: (call: KeyedCall) => Promise<T>): Promise<T> {
    try {
      return await run(claim);
    } catch (error) {
      // If the run has changed the record, or still does, the record says so to the next one.
      const release = async () => this.records.deleteOne(claim.filter);
      // Don't make the caller wait for an absent database a second time.
      if (toDomainError(error).code === 'service-unavailable') void insist(release);
      else await release();
      throw error;
    }
  }
}

interface Claim extends KeyedCall {
  readonly filter: { _id: string; claim: string };
}

/** Retries a write until it succeeds or the claim expires, so that an outage does not lose the outcome of a call. */
async function insist(write: () => Promise<unknown>): Promise<void> {
  const endsAt = performance.now() + claimLifetimeMs;
  while (performance.now() < endsAt) {
    try {
      await write();
      return;
    } catch {
      await sleep(insistEveryMs, undefined, { ref: false });
    }
  }
}
