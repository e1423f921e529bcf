import { setTimeout as sleep } from 'node:timers/promises';
import { documentedName } from '../errors/documented-name.js';
import { DomainError, unavailable } from '../errors/domain-error.js';
import { type FieldFault } from '../errors/field-fault.js';
import { type KeyedCall, type Origin, type Versioned } from './history-entry.js';
import { type HistoryService } from './history.service.js';

/** What comes with the input of an update, through either API. */
export interface UpdateControl {
  /** For the history entry. */
  origin: Origin;
  /** Faults that the API found while it read the body. They are reported together with those of the fields. */
  readFaults: readonly FieldFault[];
  /** The version that the caller has seen. If it is no longer the current one, the update is refused. */
  expectedVersion?: number | null | undefined;
  /** Whether to check everything and answer the would-be result, but write nothing. */
  isDryRun?: boolean | undefined;
  /** Only for a call with an idempotency key. */
  call?: KeyedCall | undefined;
}

/**
 * @throws DomainError version-conflict if the caller expected another version than the current one; it names the fields that
 * have changed since, as every message does, by their documented names (Contract 9.1.3)
 */
export async function assertVersion(
  record: Versioned,
  { expectedVersion }: UpdateControl,
  history: HistoryService,
): Promise<void> {
  if (expectedVersion == null || expectedVersion === record.version) return;
  const changed = await history.fieldsChangedSince(record._id, expectedVersion);
  const names = changed.map(documentedName).join(', ');
  throw new DomainError('version-conflict', { hint: { en: names, fr: names } });
}

/** @throws DomainError validation-failed with every fault of the request (Contract 7.3). */
export function assertFaultless(faults: readonly FieldFault[]): void {
  if (faults.length > 0) throw new DomainError('validation-failed', { faults });
}

/** How often an attempt is made, in all, before it is given up for losing races. */
const mostAttempts = 25;
const longestPauseMs = 20;

/**
 * Repeats an attempt for as long as it answers null, which it does when somebody else changed the record between its read
 * and its write (Contract 9.2).
 * @param giveUp makes the error that is thrown when it keeps losing; by default service-unavailable
 */
export async function retryLostRace<T>(
  attempt: () => Promise<T | null>,
  giveUp = (): Error => unavailable(new Error('lost too many races')),
): Promise<T> {
  for (let count = 0; count < mostAttempts; count += 1) {
    const result = await attempt();
    if (result !== null) return result;
    // Two updates that collided would collide again if both waited equally long.
    await sleep(Math.random() * longestPauseMs);
  }
  throw giveUp();
}
