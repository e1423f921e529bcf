import { DomainError } from '../errors/domain-error.js';
import { type FieldFault } from '../errors/field-fault.js';
import { type Origin } from './history-entry.js';
import { type HistoryService } from './history.service.js';
import { type KeyedCall } from './keyed-call.js';
import { type Versioned } from './versioned-records.js';

/** What accompanies the input of an update, over either door. */
export interface UpdateControl {
  /** The actor, the door and the request, for the history entry. */
  origin: Origin;
  /** What the door found wrong while it read the body; reported in the place of the other field faults. */
  readFaults: readonly FieldFault[];
  /** The version that the caller has seen; the update is refused when it is no longer the current one. */
  expectedVersion?: number | null | undefined;
  /** Every check and the would-be result, but no write. */
  isDryRun?: boolean | undefined;
  /** The call, where it has an idempotency key. */
  call?: KeyedCall | undefined;
}

/**
 * @throws DomainError version-conflict when another version than the current one was expected; it names the fields that
 * have changed since (Contract 9.1)
 */
export async function assertVersion<R extends Versioned>(
  record: R,
  { expectedVersion }: UpdateControl,
  history: HistoryService<R>,
): Promise<void> {
  if (expectedVersion == null || expectedVersion === record.version) return;
  const fields = (await history.fieldsChangedSince(record._id, expectedVersion)).join(', ');
  throw new DomainError('version-conflict', { hint: { en: fields, fr: fields } });
}

/** @throws DomainError validation-failed with every fault of the request (Contract 7.3). */
export function assertFaultless(faults: readonly FieldFault[]): void {
  if (faults.length > 0) throw new DomainError('validation-failed', { faults });
}
