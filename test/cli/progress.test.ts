import { describe, expect, it } from '@jest/globals';
import { PassThrough } from 'node:stream';
import { Progress } from '../../src/cli/progress.js';

describe('progress of a long command (Contract 12.3.7)', () => {
  it('is a line every five seconds, with part, counts, rate and time left', () => {
    let nowMs = 0;
    let text = '';
    const progress = new Progress({ write: (more) => (text += more) }, () => nowMs);
    progress.begin('checking job lines', 1_000);
    for (let step = 0; step < 8; step += 1) {
      nowMs += 1_000;
      progress.add(100, '5 new');
    }
    progress.end();
    expect(text).toBe(
      'checking job lines  50 %  500 of 1000  100/s  5 s left  5 new\n' +
        'checking job lines  80 %  800 of 1000  100/s  2 s left  5 new\n',
    );
  });

  it('waits for a slow reader of the output', async () => {
    const output = new PassThrough({ highWaterMark: 10 });
    const progress = new Progress(output);
    await progress.line('short');
    let isTold = false;
    const telling = progress.line('more than ten bytes').then(() => (isTold = true));
    await new Promise(setImmediate);
    expect(isTold).toBe(false);
    output.resume();
    await telling;
  });
});
