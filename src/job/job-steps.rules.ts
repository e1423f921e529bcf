import { systemActor } from '../access/caller.js';
import { changesOf, type Patch } from '../history/changes.rules.js';
import { type Origin } from '../history/history-entry.js';
import { type Step } from '../history/versioned-records.js';
import { expiryOf } from './job-lifetime.rules.js';
import { stateAt } from './job-state.rules.js';
import { type JobRecord } from './job.model.js';

/**
 * The versions that a change of a job makes; none where it changes nothing. A job past its end is archived first, by the
 * gateway itself, then changed (Contract 3.3).
 */
export function jobSteps(
  job: JobRecord,
  patch: Patch,
  { now, lifetimeMs, origin }: { now: Date; lifetimeMs: number; origin: Origin },
): Step[] {
  const { publishedAt } = job;
  const current = stateAt(job, now, lifetimeMs);
  const changes = changesOf({ ...job, state: current }, patch);
  if (changes.length === 0) return [];
  const change: Step = { at: now, origin, changes };
  if (current === job.state || publishedAt === null) return [change];
  const archiving: Step = {
    at: expiryOf({ publishedAt }, lifetimeMs),
    origin: { actor: systemActor, transport: 'task', requestId: origin.requestId },
    changes: changesOf(job, { state: current }),
  };
  return [archiving, change];
}
