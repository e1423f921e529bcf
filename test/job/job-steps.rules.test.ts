import { describe, expect, it } from '@jest/globals';
import { demoData } from '../../src/demo/demo-data.js';
import { type Patch } from '../../src/fields/fields.rules.js';
import { type JobRecord } from '../../src/job/job.record.js';
import { jobSteps } from '../../src/job/job.rules.js';

const publishedAt = new Date('2026-01-01T00:00:00Z');
const end = new Date(publishedAt.getTime() + 1_000);
const origin = { actor: 'a', transport: 'rest' as const, requestId: 'r' };
const job = {
  ...demoData(publishedAt).jobs[0]!,
  state: 'published' as const,
  publishedAt,
  expiresAt: end,
  salary: 'old',
};
const before = new Date(end.getTime() - 1);
const steps = (patch: Patch, now: Date, record: JobRecord = job) => jobSteps(record, patch, { now, origin });
const salary = [{ field: 'salary', before: 'old', after: 'new' }];

describe('an update of a job', () => {
  it('adds no version if nothing changes, even after the job’s end (Contract 9.1.2)', () => {
    expect(steps({ salary: 'old' }, before)).toEqual([]);
    expect(steps({}, end)).toEqual([]);
  });

  it('adds one version before the job’s end (Contract 10.1.1)', () => {
    expect(steps({ salary: 'new' }, before)).toEqual([{ at: before, origin, changes: salary }]);
  });

  it('adds two versions after the job’s end: the system’s archiving, dated at the end, and then the update (Contract 3.3.3)', () => {
    expect(steps({ salary: 'new' }, end)).toEqual([
      {
        at: end,
        origin: { actor: 'system', transport: 'task', requestId: 'r' },
        changes: [{ field: 'state', before: 'published', after: 'archived' }],
      },
      { at: end, origin, changes: salary },
    ]);
  });

  it('adds one version to a job that was never published (Contract 3.3.1)', () => {
    expect(steps({ salary: 'new' }, end, { ...job, publishedAt: null, expiresAt: null })).toEqual([
      { at: end, origin, changes: salary },
    ]);
  });
});
