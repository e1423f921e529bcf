import { type FieldReader } from '../fields/field-reader.rules.js';
import { type Instants } from '../fields/instant.rules.js';
import { fieldFault } from '../errors/field-fault.js';
import { type JobState } from './job-choices.rules.js';
import { type JobRecord } from './job.model.js';

/** Undefined if not sent; null for the default. */
export type GivenEnd = Instants | null | undefined;

export const endPaths = ['state', 'publishedAt', 'expiresAt', 'expiresFor'] as const;
type Ending = Pick<JobRecord, (typeof endPaths)[number]>;
type End = Required<Pick<JobRecord, 'expiresAt' | 'expiresFor'>>;

/** False if version 1.x published the job last. */
export const isEndStored = ({ publishedAt, expiresAt, expiresFor }: Partial<Ending>): boolean =>
  publishedAt == null || (expiresAt instanceof Date && Number(expiresFor) === Number(publishedAt));

/** The ends of jobs that stay published for at most `lifetimeMs` (Contract 3.3.1). */
export const jobEnds = (lifetimeMs: number) => {
  const latestOf = (publishedAt: Date) => new Date(publishedAt.getTime() + lifetimeMs);
  return {
    /**
     * Gives a job of version 1.x its end. Call this on every job that is read: all other code relies on the end.
     * @throws TypeError if `publishedAt` is damaged
     */
    complete: <Job extends Partial<Ending>>(job: Job): Job =>
      job.publishedAt && !isEndStored(job)
        ? { ...job, expiresAt: latestOf(job.publishedAt), expiresFor: job.publishedAt }
        : job,

    /**
     * The end after an update that leaves a job with this state and publication (Contract 4.2.13).
     * @param job before the update
     * @param earliest a sent end must be later; null if it may have passed
     */
    settle(
      job: Partial<Ending>,
      { state, publishedAt }: { state: JobState; publishedAt: Date | null },
      given: GivenEnd,
      { earliest, reader }: { earliest: Date | null; reader: FieldReader },
    ): End {
      const latest = publishedAt && latestOf(publishedAt);
      const isSamePublication = publishedAt?.getTime() === job.publishedAt?.getTime();
      const kept = (isSamePublication && job.expiresAt) || latest;
      const end = (expiresAt: Date | null) => ({ expiresAt, expiresFor: publishedAt });
      if (!given) return end(given === null && state === 'published' ? latest : kept);
      const at = latest && given.first <= latest && latest < given.last ? latest : given.last;
      const isEnding = latest && state === 'published';
      if (isEnding && at <= latest && (!earliest || at > earliest)) return end(at);
      // Forms send back the end that they have read.
      if (at.getTime() !== job.expiresAt?.getTime())
        reader.fail(fieldFault.format('expiresAt', isEnding ? between(latest) : ofPublished));
      return end(kept);
    },
  };
};
export type JobEnds = ReturnType<typeof jobEnds>;

const between = (latest: Date) => ({
  en: `after now and at the latest ${latest.toISOString()}`,
  fr: `après maintenant et au plus tard ${latest.toISOString()}`,
  advice: {
    en: `Enter an instant after now and at the latest ${latest.toISOString()}.`,
    fr: `Saisissez un instant après maintenant et au plus tard ${latest.toISOString()}.`,
  },
});
const ofPublished = {
  en: 'left out unless the job is published',
  fr: 'omis si l’offre n’est pas publiée',
  advice: { en: 'Only a published job has an end.', fr: 'Seule une offre publiée a une fin.' },
};

/** A published job is archived from its end on, even before the archiving task runs (Contract 3.3.2). */
export const stateAt = ({ state, expiresAt }: Pick<Ending, 'state' | 'expiresAt'>, now: Date): JobState =>
  state === 'published' && expiresAt && expiresAt <= now ? 'archived' : state;

/** The end of a job that is published now; otherwise null. */
export const shownEnd = (job: Ending, now: Date): Date | null =>
  stateAt(job, now) === 'published' ? (job.expiresAt ?? null) : null;

/** Null if the job never changed. Its end counts as a change, even before the archiving task runs (Contract 2.2.10). */
export const updatedAtOf = (job: Ending & { updatedAt?: Date | null }, now: Date): Date | null =>
  (stateAt(job, now) === job.state ? job.updatedAt : job.expiresAt) ?? null;

/** Matches jobs past their end that are still stored as published. */
export const dueQuery = (now: Date) => ({ state: 'published' as const, expiresAt: { $lte: now } });

/** Matches jobs stored as published, but without an end. */
export const endlessQuery = { state: 'published' as const, expiresAt: null, publishedAt: { $ne: null } };

/** Matches jobs published now and, until the archiving task stores their ends, jobs of version 1.x that are stored as published. */
export const liveQuery = (now: Date) => ({
  state: 'published',
  $or: [{ expiresAt: { $gt: now } }, { expiresAt: null }],
});
