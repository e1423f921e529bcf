import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { FieldReader } from '../../src/fields/field-reader.rules.js';
import { type Instants, readInstantOrDate } from '../../src/fields/instant.rules.js';
import { jobStates } from '../../src/job/job-choices.rules.js';
import {
  dueQuery,
  type EndInput,
  liveQuery,
  resolveExpiresAt,
  visibleEnd,
  stateAt,
  updatedAtOf,
} from '../../src/job/job-end.rules.js';
import { type JobRecord } from '../../src/job/job.record.js';
import { parseSettings } from '../../src/settings/settings.js';

const dayMs = 86_400_000;
const settings = parseSettings({});
const publishedAt = new Date('2026-01-31T10:00:00.000Z');
const chosen = new Date('2026-03-01T12:00:00.000Z');
const now = new Date('2026-02-10T00:00:00.000Z');
const later = (at: Date, ms: number) => new Date(at.getTime() + ms);

type Job = Pick<JobRecord, 'state' | 'publishedAt' | 'expiresAt'>;
const published: Job = { state: 'published', publishedAt, expiresAt: chosen };
const draft: Job = { state: 'draft', publishedAt: null, expiresAt: null };

describe('the end of a job', () => {
  it.each([
    [-1, 'published'],
    [0, 'archived'],
    [1, 'archived'],
  ])('%d ms ago gives the job the state %s (Contract 3.3.1, 3.3.2)', (offsetMs, state) => {
    expect(stateAt(published, later(chosen, offsetMs))).toBe(state);
  });

  it.each(['draft', 'archived'] as const)('does not change the state %s (Contract 3.3.1)', (state) => {
    expect(stateAt({ ...published, state }, later(chosen, 1))).toBe(state);
    expect(visibleEnd({ ...published, state }, later(chosen, -1))).toBeNull();
  });

  it('is shown until it comes, and counts as a change from then on (Contract 2.2.10, 3.3.2)', () => {
    const updatedAt = later(publishedAt, 5);
    expect(visibleEnd(published, later(chosen, -1))).toEqual(chosen);
    expect(visibleEnd(published, chosen)).toBeNull();
    expect(updatedAtOf({ ...published, updatedAt }, later(chosen, -1))).toEqual(updatedAt);
    expect(updatedAtOf({ ...published, updatedAt }, chosen)).toEqual(chosen);
    expect(updatedAtOf({ ...draft, updatedAt }, now)).toEqual(updatedAt);
  });

  it('is the same in database queries (Contract 3.3.2)', () => {
    expect(dueQuery(now)).toEqual({ state: 'published', expiresAt: { $lte: now } });
    expect(liveQuery(now)).toEqual({ state: 'published', expiresAt: { $gt: now } });
  });
});

const settle = (
  job: Job,
  next: Pick<Job, 'state' | 'publishedAt'>,
  given: EndInput,
  earliest: Date | null = now,
) => {
  const reader = new FieldReader();
  const expiresAt = resolveExpiresAt(job, next, given, { settings, earliest, reader });
  return { expiresAt, faults: reader.faults.map(({ code, message }) => `${code}: ${message.en}`) };
};
const instant = (text: string) => readInstantOrDate(text) as Instants;
const only = (at: Date): Instants => ({ first: at, last: at });

describe('the end that an update sends', () => {
  it.each([
    ['2026-02-10T00:00:00.001Z', '2026-02-10T00:00:00.001Z'],
    ['2026-05-01T10:00:00.000Z', '2026-05-01T10:00:00.000Z'],
    ['2026-02-10', '2026-02-10T23:59:59.999Z'],
    ['2026-03-31', '2026-03-31T23:59:59.999Z'],
    ['2026-05-01', '2026-05-01T10:00:00.000Z'],
    ['2026-03-31T23:30:00+02:00', '2026-03-31T21:30:00.000Z'],
  ])('%s is stored as %s (Contract 4.2.13)', (given, stored) => {
    const { expiresAt, faults } = settle(published, published, instant(given));
    expect([expiresAt?.toISOString(), faults]).toEqual([stored, []]);
  });

  it.each(['2026-02-10T00:00:00.000Z', '2026-02-09', '2026-05-01T10:00:00.001Z', '2026-05-02', '9999-12-31'])(
    '%s is a fault that names the latest instant (Contract 4.2.13)',
    (given) => {
      expect(settle(published, published, instant(given)).faults).toEqual([
        'expires_at-format-error: This field must be after now and at the latest 2026-05-01T10:00:00.000Z.',
      ]);
    },
  );

  it.each(['2026-02-30', '2026-02-10T00:00:00', '2026-2-10', 'soon', '', '2026-02-10T25:00:00Z', '20260210'])(
    '%j is neither an instant nor a date (Contract 4.2.13)',
    (given) => expect(readInstantOrDate(given)).toBeUndefined(),
  );

  it('is a fault for a job that is not published and does not become so (Contract 4.2.13)', () => {
    const fault = 'expires_at-format-error: This field must be left out unless the job is published.';
    expect(settle(draft, draft, only(chosen)).faults).toEqual([fault]);
    const archived = { ...published, state: 'archived' as const };
    expect(settle(published, archived, only(later(chosen, 1))).faults).toEqual([fault]);
    expect(settle(archived, archived, only(later(chosen, 1))).faults).toEqual([fault]);
  });
});

const instants = fc
  .integer({ min: -2 * 90, max: 2 * 90 })
  .chain((days) =>
    fc
      .oneof(fc.constant(0), fc.constantFrom(-1, 1), fc.integer({ min: -dayMs, max: dayMs }))
      .map((ms) => later(publishedAt, days * dayMs + ms)),
  );
const jobs = fc
  .record({ state: fc.constantFrom(...jobStates), publishedAt: fc.option(instants), end: instants })
  .map(({ state, publishedAt: at, end }): Job => ({
    state,
    publishedAt: at,
    expiresAt: at && end,
  }));
const nexts = fc.record({ state: fc.constantFrom(...jobStates), isMove: fc.boolean() });

describe('the end after any update', () => {
  const cases = fc.property(
    jobs,
    nexts,
    instants,
    fc.boolean(),
    instants,
    (job, { state, isMove }, given, isDate, clock) => {
      const next = { state, publishedAt: isMove && state === 'published' ? clock : job.publishedAt };
      const most = next.publishedAt && later(next.publishedAt, settings.jobLifetimeMs);
      const day = given.toISOString().slice(0, 10);
      const sent = isDate ? instant(day) : only(given);
      const { expiresAt, faults } = settle(job, next, sent, clock);
      const isSame = next.publishedAt?.getTime() === job.publishedAt?.getTime();
      const meant = isDate && most?.toISOString().slice(0, 10) === day && most < sent.last ? most : sent.last;
      const isWithin = most !== null && state === 'published' && clock < meant && meant <= most;
      const isStored = meant.getTime() === job.expiresAt?.getTime();
      expect(faults.length).toBe(isWithin || isStored ? 0 : 1);
      expect(expiresAt).toEqual(isWithin ? meant : isSame && job.expiresAt ? job.expiresAt : most);
      expect(settle(job, next, undefined, clock)).toMatchObject({
        expiresAt: isSame && job.expiresAt ? job.expiresAt : most,
        faults: [],
      });
      expect(settle(job, next, null, clock)).toMatchObject({
        expiresAt: state !== 'published' && isSame && job.expiresAt ? job.expiresAt : most,
        faults: [],
      });
      if (job.expiresAt) expect(settle(job, next, only(job.expiresAt), clock).faults).toEqual([]);
    },
  );

  it('lies after now and within the lifetime, or is the stored end sent back, or a fault (Contract 3.3.4, 4.2.13)', () => {
    fc.assert(cases);
  });
});
