import { describe, expect, it } from '@jest/globals';
import { isMoveAllowed } from '../../src/job/job.rules.js';
import { jobStates } from '../../src/job/job-choices.rules.js';

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
