import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Collection } from 'mongoose';
import { type Caller } from '../access/caller.js';
import { catalogue } from '../errors/catalogue.js';
import { DomainError, unavailable } from '../errors/domain-error.js';
import { fieldFault, onArgument } from '../errors/field-fault.js';
import { isDuplicateKey, toDomainError } from '../errors/mask-error.js';
import { type KeyedCall, keyPattern, rememberedMs } from '../history/history-entry.js';
import { type IdempotencyRecord } from './idempotency.model.js';

/** How often a claim is renewed while its call runs. The call may wait in a queue for long. */
const renewEveryMs = 2_000;
/** A claim that was not renewed for this long belongs to a dead process, even if renewals are slow and clocks 5 s apart. */
const claimLifetimeMs = 10_000;
/** For this long after a renewal nobody can take the claim over, not even a process whose clock is 5 s ahead. */
const surelyHeldMs = claimLifetimeMs - 5_000;
/** A claim that was last renewed at this instant can be taken over at once. */
const longAgo = new Date(0);
/** Pause before a write that failed is tried again. */
const insistEveryMs = 500;
/** How long a call waits for another one with the same key to end. */
const longestWaitMs = 1_500;
const pollMs = 25;

const expected = { en: '1 to 255 visible ASCII characters', fr: 'de 1 à 255 caractères ASCII visibles' };

/** A call with an idempotency key. */
export interface RepeatableCall {
  caller: Caller;
  operation: string;
  key: string;
  /** Everything that must be the same in a repetition, in a form that is the same each time. */
  input: string;
}

const digest = (...parts: string[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('base64url');

/**
 * What decides whose call it is: every claim of the caller that gives it authority. Where that has changed since the first
 * call, a repetition is checked anew. Null marks claims that a new token changes without changing authority.
 */
function authorityOf({ subject, roles, media, brand }: Caller): string[] {
  const claims: Record<keyof Caller, string | null> = {
    subject,
    roles: [...roles].sort().join(),
    // The rules have already asked for the scope that the operation needs.
    scopes: null,
    media: media ? [...media].sort().join() : '*',
    brand: brand ?? '',
    expiresAt: null,
  };
  return Object.values(claims).filter((claim) => claim !== null);
}

/** Makes sure that a call runs once however often it is sent, and that its repetitions get the same answer (Contract 9.3). */
export class IdempotencyService {
  constructor(
    private readonly records: Collection<IdempotencyRecord>,
    private readonly clock: () => Date,
  ) {}

  /**
   * Runs the call unless one with its key has succeeded in the last 24 hours. Of several calls at the same time, one runs and
   * the others wait for it. A success is answered only once it is stored; a refusal is forgotten. If a process dies, its
   * call holds the key for at most 10 s, or 15 s if clocks are 5 s apart (Contract 9.3.8). The call that takes the key over
   * is told that the first may have run, and finds out before it changes anything (Contract 9.3.9).
   * @throws DomainError validation-failed for a malformed key, idempotency-key-reuse for another input,
   * service-unavailable if the call under way takes too long, or if the key was taken over; whatever `run` throws
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
    const id = digest(...authorityOf(call.caller), call.operation, call.key);
    const inputDigest = digest(call.input);
    const waitUntilMs = performance.now() + longestWaitMs;
    while (performance.now() < waitUntilMs) {
      const claim = await this.claim(id, inputDigest);
      if (claim) return { payload: await this.runClaimed(claim, run), isReplayed: claim.isReplayed };

      const record = await this.records.findOne({ _id: id });
      if (!record || record.expiresAt <= this.clock()) continue;
      if (record.inputDigest !== inputDigest) throw new DomainError('idempotency-key-reuse');
      if (record.payload !== undefined) return { payload: record.payload as T, isReplayed: true };
      await sleep(pollMs);
    }
    throw unavailable(new Error('the twin call takes long'));
  }

  /** Claims the key if it is unknown or expired, or if the process that held it died. Null if another call holds it. */
  private async claim(id: string, inputDigest: string): Promise<Claim | null> {
    const now = this.clock();
    const claim = randomUUID();
    const fresh = { inputDigest, claim, claimedAt: now, expiresAt: new Date(now.getTime() + rememberedMs) };
    const abandonedBefore = new Date(now.getTime() - claimLifetimeMs);
    try {
      const taken = await this.records.findOneAndUpdate(
        {
          _id: id,
          $or: [
            { expiresAt: { $lte: now } },
            { payload: { $exists: false }, claimedAt: { $lte: abandonedBefore } },
          ],
        },
        { $set: fresh, $unset: { payload: '' } },
        { upsert: true, projection: { _id: 1 } },
      );
      return new Claim({ _id: id, claim }, { key: id, input: inputDigest }, this.clock, now, taken !== null);
    } catch (error) {
      if (isDuplicateKey(error)) return null;
      throw error;
    }
  }

  private async runClaimed<T>(claim: Claim, run: (call: KeyedCall) => Promise<T>): Promise<T> {
    const renewal = setInterval(() => {
      const at = this.clock();
      // If a renewal fails, the next one makes up for it. `$max`, since a late renewal must not undo a later one.
      this.records.updateOne(claim.filter, { $max: { claimedAt: at } }).then(
        ({ matchedCount }) => matchedCount > 0 && claim.isHeldSince(at),
        () => undefined,
      );
    }, renewEveryMs).unref();
    try {
      const payload = await this.runOrRelease(claim, run);
      const remember = async () => this.records.updateOne(claim.filter, { $set: { payload } });
      const { matchedCount } = await remember().catch((error: unknown) => {
        void insist(remember);
        throw error;
      });
      // The call was done, but another one has taken the key since. That one's answer counts: the caller is told to ask again.
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
      const { code } = toDomainError(error);
      // If the call was refused and nobody else can have run it, nothing has changed. Otherwise something may have, or may yet.
      const isWithoutTrace = catalogue[code].status < 500 && !claim.mayHaveRun();
      const release = async () =>
        isWithoutTrace
          ? this.records.deleteOne(claim.filter)
          : this.records.updateOne(claim.filter, { $set: { claimedAt: longAgo } });
      // If the database is away, the caller has waited for it once and does not wait again.
      if (code === 'service-unavailable') void insist(release);
      else await release();
      throw error;
    }
  }
}

/** A call's hold on its key. */
class Claim implements KeyedCall {
  isReplayed = false;
  private heldSince: Date;

  constructor(
    readonly filter: { _id: string; claim: string },
    readonly digest: KeyedCall['digest'],
    private readonly clock: () => Date,
    readonly at: Date,
    private readonly isTakenOver: boolean,
  ) {
    this.heldSince = at;
  }

  isHeldSince(instant: Date): void {
    if (instant > this.heldSince) this.heldSince = instant;
  }

  mayHaveRun(): boolean {
    return this.isTakenOver || this.clock().getTime() - this.heldSince.getTime() >= surelyHeldMs;
  }
}

/** Repeats a write until it succeeds, so that no claim outlasts an outage. Stops when the claim has run out anyway. */
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
