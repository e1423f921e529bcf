import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { FieldReader } from '../../src/fields/field-reader.rules.js';
import { type Instants, readInstantOrDate } from '../../src/fields/instant.rules.js';
import { jobStates } from '../../src/job/job-choices.rules.js';
import { type ExpiryInput, resolveExpiresAt } from '../../src/job/job-expiry.rules.js';
import { type JobRecord } from '../../src/job/job.record.js';
import { parseSettings } from '../../src/settings/settings.js';

const dayMs = 86_400_000;
const settings = parseSettings({});
const publishedAt = new Date('2026-01-31T10:00:00.000Z');
const now = new Date('2026-02-10T00:00:00.000Z');
const later = (at: Date, ms: number) => new Date(at.getTime() + ms);

type Job = Pick<JobRecord, 'state' | 'publishedAt' | 'expiresAt'>;

const settle = (
  job: Job,
  next: Pick<Job, 'state' | 'publishedAt'>,
  given: ExpiryInput,
  earliest: Date | null = now,
) => {
  const reader = new FieldReader();
  const expiresAt = resolveExpiresAt(job, next, given, { settings, earliest, reader });
  return { expiresAt, faults: reader.faults.map(({ code, message }) => `${code}: ${message.en}`) };
};
const instant = (text: string) => readInstantOrDate(text) as Instants;
const only = (at: Date): Instants => ({ first: at, last: at });

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

  it('lies after now and within the lifetime, or is the stored end sent back, or a fault (Contract 2.5.4, 5.4.8)', () => {
    fc.assert(cases);
  });
});
