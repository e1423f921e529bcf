import { FieldReader } from '../fields/field-reader.rules.js';
import { type InputFields } from '../fields/fields.rules.js';
import { type FieldFault, isAtFault } from '../errors/field-fault.js';
import { type JobSettings } from './job-expiry.rules.js';
import { readJobFields } from './job-fields.rules.js';
import { type JobReadContext } from './job-row.rules.js';
import { requireApplicationUrl, stateAfter } from './job.rules.js';

/**
 * Reads an update, and returns the values to store. If `isAllowed` is false, `JobService` rejects the move after it has reported the faults.
 * @param context.parseFaults come before all others
 */
export function readJobUpdate(
  { name, ...fields }: InputFields,
  context: Omit<JobReadContext, 'reader'> & {
    now: Date;
    settings: JobSettings;
    parseFaults?: readonly FieldFault[] | undefined;
  },
) {
  const { record } = context;
  // A name causes at most a warning.
  const parseFaults = context.parseFaults ?? [];
  const reader = new FieldReader(parseFaults.filter(({ field }) => field !== 'name'));
  const isOther = (name != null && name !== record.name) || isAtFault(parseFaults, 'name');
  if (isOther) reader.warn('name-immutable', 'name');

  const { state, expiresAt, ...patch } = readJobFields(fields, { ...context, reader });
  requireApplicationUrl(fields, record, patch, reader);
  const { patch: moved, isAllowed } = stateAfter(record, { state, expiresAt }, { ...context, reader });
  return { patch: { ...patch, ...moved }, isAllowed, faults: reader.faults, warnings: reader.warnings };
}
