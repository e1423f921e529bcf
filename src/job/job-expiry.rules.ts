import { type FieldReader } from '../fields/field-reader.rules.js';
import { type Instants } from '../fields/instant.rules.js';
import { fieldFault } from '../errors/field-fault.js';
import { type JobState } from './job-choices.rules.js';
import { type JobRecord } from './job.record.js';

/** The settings that rules of jobs read. */
export interface JobSettings {
  /** A job stays published for at most this long. */
  readonly jobLifetimeMs: number;
}

/** Undefined if not sent; null for the default. */
export type ExpiryInput = Instants | null | undefined;

export const expiryPaths = ['state', 'expiresAt'] as const;
type Expiring = Pick<JobRecord, (typeof expiryPaths)[number]>;

/** The default expiry, and the latest. Null if the job was never published. */
export const latestExpiry = (publishedAt: Date | null, lifetimeMs: number): Date | null =>
  publishedAt && new Date(publishedAt.getTime() + lifetimeMs);

/**
 * The expiry after an update that leaves a job with this state and publication.
 * @param job before the update
 * @param earliest a sent expiry must be later; null if it may have passed
 */
export function resolveExpiresAt(
  job: Pick<JobRecord, 'publishedAt' | 'expiresAt'>,
  { state, publishedAt }: { state: JobState; publishedAt: Date | null },
  input: ExpiryInput,
  { settings, earliest, reader }: { settings: JobSettings; earliest: Date | null; reader: FieldReader },
): Date | null {
  const latest = latestExpiry(publishedAt, settings.jobLifetimeMs);
  const isSamePublication = publishedAt?.getTime() === job.publishedAt?.getTime();
  const kept = (isSamePublication && job.expiresAt) || latest;
  if (!input) return input === null && state === 'published' ? latest : kept;
  const at = latest && input.first <= latest && latest < input.last ? latest : input.last;
  const isEnding = latest && state === 'published';
  if (isEnding && at <= latest && (!earliest || at > earliest)) return at;
  // Forms send back the expiry that they have read.
  if (at.getTime() !== job.expiresAt?.getTime())
    reader.fail(fieldFault.format('expiresAt', isEnding ? between(latest) : ofPublished));
  return kept;
}

const between = (latest: Date) => ({
  en: `Enter a date or time after now, at the latest ${formatted(latest, 'en-GB')}.`,
  fr: `Saisissez une date ou une heure à venir, au plus tard le ${formatted(latest, 'fr')}.`,
  parameters: { maximum: latest.toISOString() },
});
const formatted = (instant: Date, language: string) =>
  `${instant.toLocaleString(language, { dateStyle: 'long', timeStyle: 'medium', timeZone: 'UTC' })} UTC`;
const ofPublished = { en: 'Only a published job has an end.', fr: 'Seule une offre publiée a une fin.' };

/** A published job is archived from its expiry on, even before the archiving task runs. */
export const stateAt = ({ state, expiresAt }: Expiring, now: Date): JobState =>
  state === 'published' && expiresAt && expiresAt <= now ? 'archived' : state;

/** The expiry of a job that is published now; otherwise null. */
export const visibleExpiry = (job: Expiring, now: Date): Date | null =>
  stateAt(job, now) === 'published' ? job.expiresAt : null;

/** A job's expiry counts as a change, even before the archiving task runs. */
export const updatedAtOf = (job: Expiring & Pick<JobRecord, 'updatedAt'>, now: Date): Date =>
  stateAt(job, now) === job.state ? job.updatedAt : job.expiresAt!;

/** Matches jobs past their expiry that are still stored as published. */
export const dueQuery = (now: Date) => ({ state: 'published' as const, expiresAt: { $lte: now } });
