import { DomainError } from '../errors/domain-error.js';

/** Identifies a call with an idempotency key. */
interface CallDigest {
  /** Digest of the idempotency key, the operation and the caller's authority. */
  key: string;
  input: string;
}

/** A call as the record that it changed keeps it, written with the change. */
export interface MadeCall extends CallDigest {
  /** When the call began. */
  at: Date;
  /** The version that the call produced. */
  version: number;
}

/** Valid idempotency keys. */
export const keyPattern = /^[\x21-\x7e]{1,255}$/;

/** 24 hours. */
export const rememberedMs = 86_400_000;

/** A running call with an idempotency key. */
export interface KeyedCall {
  readonly digest: CallDigest;
  /** When it began. */
  readonly at: Date;
  /** Set when an earlier run is found. This run then changes nothing. */
  isReplayed: boolean;
}

export const madeCall = ({ digest, at }: KeyedCall, version: number): MadeCall => ({
  ...digest,
  at,
  version,
});

const forgottenBefore = ({ at }: KeyedCall): Date => new Date(at.getTime() - rememberedMs);

/** Matches the record that an earlier run of the call changed in the last 24 hours. */
export const madeBy = (call: KeyedCall) => ({
  keyedCalls: { $elemMatch: { key: call.digest.key, at: { $gt: forgottenBefore(call) } } },
});

/**
 * Whether an earlier run of the call changed the record in the last 24 hours. If one changes it after this look, it raises the version, so
 * the write of this run fails.
 * @throws DomainError idempotency-key-reuse if the key was used with another input
 */
export function isMade(
  { keyedCalls = [] }: { keyedCalls?: readonly MadeCall[] },
  call: KeyedCall | undefined,
): boolean {
  const made =
    call && keyedCalls.find(({ key, at }) => key === call.digest.key && at > forgottenBefore(call));
  if (!made) return false;
  if (made.input !== call.digest.input) throw new DomainError('idempotency-key-reuse');
  call.isReplayed = true;
  return true;
}
