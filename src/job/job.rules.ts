import { type FieldReader } from '../fields/field-reader.rules.js';
import { changesOf, type InputFields, type Patch, patched } from '../fields/fields.rules.js';
import { fieldFault, type FieldFault, oneOf } from '../errors/field-fault.js';
import { labels } from '../fields/labels.js';
import { type Origin, type Step, systemActor } from '../history/history-entry.js';
import { type JobState } from './job-choices.rules.js';
import { type ExpiryInput, type JobSettings, resolveExpiresAt, stateAt } from './job-expiry.rules.js';
import { type JobRecord } from './job.record.js';

/** The allowed state transitions. */
export const moves: Record<JobState, readonly JobState[]> = {
  draft: ['published', 'archived'],
  published: ['archived'],
  archived: ['published'],
};

/** The states that a job can move to now. */
export const nextStates = (job: Pick<JobRecord, 'state' | 'expiresAt'>, now: Date): readonly JobState[] =>
  moves[stateAt(job, now)];

/** An update may always send the current state. */
const isMoveAllowed = (from: JobState, to: JobState): boolean => from === to || moves[from].includes(to);

/** The fault of an update that sends a state to which its job cannot move. */
export function moveFault(job: JobRecord, now: Date): FieldFault {
  const { parameters, ...message } = oneOf(nextStates(job, now), labels.JobState);
  return { ...fieldFault.conflict('state', 'state-transition-not-allowed'), message, parameters };
}

/** Returns the state, the publication and the end that an update leaves; nothing if it sends neither a state nor an end. */
export function stateAfter(
  record: JobRecord,
  { state, expiresAt }: Patch,
  { now, settings, reader }: { now: Date; settings: JobSettings; reader: FieldReader },
): { patch: Patch; isAllowed: boolean } {
  const current = stateAt(record, now);
  const next = (state ?? current) as JobState;
  const isAllowed = isMoveAllowed(current, next);
  if (state === undefined && expiresAt === undefined) return { patch: {}, isAllowed };
  const publishedAt = next === 'published' && current !== 'published' ? now : record.publishedAt;
  const options = { settings, earliest: now, reader };
  const end = resolveExpiresAt(record, { state: next, publishedAt }, expiresAt as ExpiryInput, options);
  return { patch: { state: next, publishedAt, expiresAt: end }, isAllowed };
}

/** An external application method needs a URL, in the update or in the record. */
export function requireApplicationUrl(
  { applicationUrl: url }: InputFields,
  record: JobRecord,
  patch: Patch,
  reader: FieldReader,
): void {
  const isExternal = (patch.applicationMethod ?? record.applicationMethod) === 'external_apply';
  const { applicationUrl } = patched(record, patch);
  if (!isExternal || applicationUrl !== null) return;
  if (reader.faults.some(({ field }) => field === 'applicationUrl')) return;
  const { missing, notClearable } = fieldFault;
  reader.fail(url === null ? notClearable('applicationUrl') : missing('applicationUrl'));
}

/** The versions that an update adds. If the job is past its end, the first version archives the job. */
export function jobSteps(
  job: JobRecord,
  patch: Patch,
  { now, origin }: { now: Date; origin: Origin },
): Step[] {
  const current = stateAt(job, now);
  const { nameKey, ...visible } = patch;
  const changes = changesOf({ ...job, state: current }, visible);
  if (changes.length === 0) return [];
  const moved = changes.find(({ field }) => field === 'state');
  const internal = {
    ...(nameKey !== undefined && { nameKey }),
    // JOB_RETENTION counts from the write that archives the job. The job's end can be long past.
    ...(moved?.after === 'archived' && { archivedAt: now }),
  };
  const change: Step = {
    ...{ at: now, origin, changes },
    ...(Object.keys(internal).length > 0 && { internal }),
    ...(moved?.before === 'archived' && { derived: { archivedAt: null } }),
  };
  if (current === job.state || !job.expiresAt) return [change];
  const archiving: Step = {
    at: job.expiresAt,
    origin: { actor: systemActor, transport: 'task', requestId: origin.requestId },
    changes: changesOf(job, { state: current }),
    internal: { archivedAt: now },
  };
  return [archiving, change];
}
