import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Model } from 'mongoose';
import { type Caller } from '../access/caller.js';
import { catalogue } from '../errors/catalogue.js';
import { DomainError } from '../errors/domain-error.js';
import { fieldFault, onArgument } from '../errors/field-fault.js';
import { toDomainError } from '../errors/mask-error.js';
import { type KeyedCall, rememberedMs } from '../history/keyed-call.js';
import { type IdempotencyRecord } from './idempotency.model.js';

/** A claim is renewed this often while its call runs, since the call may wait long in a queue. */
const renewEveryMs = 2_000;
/** A claim that was not renewed for so long belongs to a dead process. Renewals may be slow, and clocks 5 s apart. */
const claimLifetimeMs = 10_000;
/** For so long after a renewal nobody can have taken the claim over, even with a clock that is 5 s ahead. */
const surelyHeldMs = claimLifetimeMs - 5_000;
/** A claim whose renewal is set back to this instant may be taken over by anybody. */
const longAgo = new Date(0);
/** How often a write that the database did not take is tried again. */
const insistEveryMs = 500;
/** How long a twin waits for the call that is under way. */
const longestWaitMs = 1_500;
const pollMs = 25;

const keyPattern = /^[\x21-\x7e]{1,255}$/;
const expected = { en: '1 to 255 visible ASCII characters', fr: 'de 1 à 255 caractères ASCII visibles' };

/** A call that its sender may repeat. */
export interface RepeatableCall {
  caller: Caller;
  operation: string;
  key: string;
  /** Everything that a repeated call must share, in a form that is the same each time. */
  input: string;
}

const digest = (...parts: string[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('base64url');

/**
 * Whose call it is, by every claim of the caller: one whose authority has changed since is checked anew instead of being
 * shown the old answer. Null is for what a new token changes without changing authority.
 */
const claims: { [Claim in keyof Caller]: ((value: Caller[Claim]) => string) | null } = {
  subject: (subject) => subject,
  roles: (roles) => [...roles].sort().join(),
  // The rules of the operation have asked for the one that it needs.
  scopes: null,
  media: (media) => (media ? [...media].sort().join() : '*'),
  brand: (brand) => brand ?? '',
  expiresAt: null,
};

const authorityOf = (caller: Caller): string[] =>
  (Object.keys(claims) as (keyof Caller)[]).flatMap((claim) => claimOf(caller, claim) ?? []);

const claimOf = <Claim extends keyof Caller>(caller: Caller, claim: Claim): string | undefined =>
  claims[claim]?.(caller[claim]);

/** Lets a call run once however often it is sent, and answers its repetitions alike (Contract 9.3). */
export class IdempotencyService {
  constructor(
    private readonly records: Model<IdempotencyRecord>,
    private readonly clock: () => Date,
  ) {}

  /**
   * Runs the call unless one with its key has succeeded in the last 24 hours; of twins in parallel one runs, the others
   * wait for it. A success is acknowledged only once it is remembered; a refusal is forgotten. A call whose process died
   * holds its key for at most 10 s, with clocks 5 s apart 15 s (Contract 9.3.8); whoever takes the key over is told that it may have run, and finds
   * out before it changes anything (Contract 9.3.9).
   * @throws DomainError validation-failed for a malformed key, idempotency-key-reuse for another input,
   * service-unavailable when the call under way takes too long, or was taken over; whatever `run` throws
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

      const record = await this.records.findById(id).lean<IdempotencyRecord>();
      if (!record || record.expiresAt <= this.clock()) continue;
      if (record.inputDigest !== inputDigest) throw new DomainError('idempotency-key-reuse');
      if (record.payload !== undefined) return { payload: record.payload as T, isReplayed: true };
      await sleep(pollMs);
    }
    throw unavailable('the twin call takes long');
  }

  /** Claims the call if its key is unknown or expired, or if the process that held it died without an answer. */
  private async claim(id: string, inputDigest: string): Promise<Claim | null> {
    const now = this.clock();
    const claim = randomUUID();
    const fresh = { inputDigest, claim, claimedAt: now, expiresAt: new Date(now.getTime() + rememberedMs) };
    const abandonedBefore = new Date(now.getTime() - claimLifetimeMs);
    try {
      const taken = await this.records.collection.findOneAndUpdate(
        {
          _id: id as never,
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
      // The key is there already, and another call holds it.
      if ((error as { code?: unknown }).code === 11_000) return null;
      throw error;
    }
  }

  private async runClaimed<T>(claim: Claim, run: (call: KeyedCall) => Promise<T>): Promise<T> {
    const renewal = setInterval(() => {
      const at = this.clock();
      // When a renewal fails, the next one makes up for it. A late one must not undo a later one.
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
      // The call was done, but a twin has taken the key since. The twin's answer counts, so the key is asked anew.
      if (matchedCount === 0) throw unavailable('the claim of the call was taken over while it ran');
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
      // A refused call that nobody else can have run has left nothing. Any other call may have changed something, or may yet.
      const isWithoutTrace = catalogue[code].status < 500 && !claim.mayHaveRun();
      const release = async () =>
        isWithoutTrace
          ? this.records.deleteOne(claim.filter)
          : this.records.updateOne(claim.filter, { $set: { claimedAt: longAgo } });
      // A caller does not wait a second time for a database that is away.
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

const unavailable = (reason: string): DomainError =>
  new DomainError('service-unavailable', { retryAfterSeconds: 1, cause: new Error(reason) });

/** Writes until the database takes it, so that no claim outlasts an outage; past the claim's life that would be in vain. */
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
