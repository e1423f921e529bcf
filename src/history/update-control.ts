import { setTimeout as sleep } from 'node:timers/promises';
import { DomainError, unavailable } from '../errors/domain-error.js';
import { type FieldFault } from '../errors/field-fault.js';
import { type KeyedCall } from '../idempotency/keyed-call.js';
import { type Origin, type Versioned } from './history-entry.js';
import { type HistoryService } from './history.service.js';

export interface UpdateControl {
  origin: Origin;
  /** Faults found while reading the body, to report together with faults of the fields. */
  readFaults: readonly FieldFault[];
  /** The update is rejected if the record has another version. */
  expectedVersion?: number | null | undefined;
  /** Whether to return the result without writing it. */
  isDryRun?: boolean | undefined;
  call?: KeyedCall | undefined;
}

/**
 * @throws DomainError version-conflict with the current version and the fields that changed since the expected one (Contract 9.1.3)
 */
export async function assertVersion(
  record: Versioned,
  { expectedVersion }: UpdateControl,
  history: HistoryService,
): Promise<void> {
  if (expectedVersion == null || expectedVersion === record.version) return;
  const changedFields = await history.fieldsChangedSince(record, expectedVersion);
  throw new DomainError('version-conflict', { current: { version: record.version, changedFields } });
}

/** @throws DomainError validation-failed with every fault of the request (Contract 7.3). */
export function assertFaultless(faults: readonly FieldFault[]): void {
  if (faults.length > 0) throw new DomainError('validation-failed', { faults });
}

const mostAttempts = 25;
const longestPauseMs = 20;

/**
 * Repeats an attempt until its result is not null, at most 25 times. Null means that another call changed the record between read and
 * write (Contract 9.2).
 * @param giveUp creates the error to throw after the last attempt; default service-unavailable
 */
export async function retryLostRace<T>(
  attempt: () => Promise<T | null>,
  giveUp = (): Error => unavailable(new Error('lost too many races')),
): Promise<T> {
  for (let count = 0; count < mostAttempts; count += 1) {
    const result = await attempt();
    if (result !== null) return result;
    // Wait for a random time, or the same two updates collide again.
    await sleep(Math.random() * longestPauseMs);
  }
  throw giveUp();
}
