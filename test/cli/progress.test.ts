import { describe, expect, it } from '@jest/globals';
import { Progress } from '../../src/cli/progress.js';

describe('progress of a long command (Contract 9.2.1)', () => {
  it('is a line for every ten seconds, with the counts and the time left', () => {
    let nowMs = 0;
    let shown = '';
    const progress = new Progress(
      (line) => (shown += `${line}\n`),
      () => nowMs,
    );
    progress.begin('checking job lines', 2_000);
    for (let step = 0; step < 15; step += 1) {
      nowMs += 1_000;
      progress.add(100);
    }
    progress.begin('writing job lines', 100);
    progress.add(100);
    expect(shown).toBe('checking job lines: 1000 of 2000, 10 s left\n');
  });
});
