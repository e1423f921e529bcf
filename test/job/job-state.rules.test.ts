import { describe, expect, it } from '@jest/globals';
import {
  dueQuery,
  expiresAt,
  expiryExpression,
  expiryOf,
  isMoveAllowed,
  liveQuery,
  overdueMs,
  stateAt,
} from '../../src/job/job.rules.js';
import { jobStates } from '../../src/job/job-choices.rules.js';

const dayMs = 86_400_000;
const lifetimeMs = 90 * dayMs;
const publishedAt = new Date('2024-01-31T10:00:00.000Z');
const published = { state: 'published', publishedAt } as const;
const at = (offsetMs: number) => new Date(publishedAt.getTime() + lifetimeMs + offsetMs);

describe('the allowed state transitions', () => {
  it('are the contract’s four, and a job may keep its state (Contract 3.2.1, 3.2.2)', () => {
    const allowed = jobStates.flatMap((from) =>
      jobStates.filter((to) => from !== to && isMoveAllowed(from, to)).map((to) => `${from}→${to}`),
    );
    expect(allowed.sort()).toEqual([
      'archived→published',
      'draft→archived',
      'draft→published',
      'published→archived',
    ]);
    expect(jobStates.every((state) => isMoveAllowed(state, state))).toBe(true);
  });
});

describe('the lifetime of a job', () => {
  it('ends 90 × 24 hours after publication (Contract 3.3.1)', () => {
    expect(expiryOf({ publishedAt }, lifetimeMs).toISOString()).toBe('2024-04-30T10:00:00.000Z');
  });

  it.each([
    [-1, 'published'],
    [0, 'archived'],
    [1, 'archived'],
  ])('that ended %d ms ago gives the job the state %s (Contract 3.3.1, 3.3.2)', (offsetMs, state) => {
    expect(stateAt(published, at(offsetMs), lifetimeMs)).toBe(state);
  });

  it.each(['draft', 'archived'] as const)('does not change the state %s (Contract 3.3.1)', (state) => {
    expect(stateAt({ state, publishedAt }, at(dayMs), lifetimeMs)).toBe(state);
  });

  it('never ends for a job without a publication instant (Contract 3.3.1)', () => {
    expect(stateAt({ state: 'published', publishedAt: null }, at(dayMs), lifetimeMs)).toBe('published');
  });

  it('is the same in database queries (Contract 3.3.2)', () => {
    expect(expiryExpression(lifetimeMs)).toEqual({ $add: ['$publishedAt', lifetimeMs] });
    expect(dueQuery(at(0), lifetimeMs)).toEqual({ state: 'published', publishedAt: { $lte: publishedAt } });
    expect(liveQuery(at(0), lifetimeMs)).toEqual({ state: 'published', publishedAt: { $gt: publishedAt } });
    expect(liveQuery(at(0), lifetimeMs, at(dayMs))).toEqual({
      $and: [
        { state: 'published', publishedAt: { $gt: publishedAt } },
        { publishedAt: { $lt: new Date(publishedAt.getTime() + dayMs) } },
      ],
    });
    expect(overdueMs(published, at(5), lifetimeMs)).toBe(5);
    expect(overdueMs({ state: 'published', publishedAt: null }, at(5), lifetimeMs)).toBeNull();
    expect(overdueMs({ state: 'draft', publishedAt }, at(5), lifetimeMs)).toBeNull();
  });

  it('has an end only for a job that is published now (Contract 3.3.2)', () => {
    expect(expiresAt(published, at(-1), lifetimeMs)).toEqual(at(0));
    expect(expiresAt(published, at(0), lifetimeMs)).toBeNull();
    expect(expiresAt({ state: 'archived', publishedAt }, at(-1), lifetimeMs)).toBeNull();
    expect(expiresAt({ state: 'draft', publishedAt: null }, at(-1), lifetimeMs)).toBeNull();
  });
});
