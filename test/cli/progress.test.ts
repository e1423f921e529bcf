import { describe, expect, it } from '@jest/globals';
import { PassThrough } from 'node:stream';
import { Progress } from '../../src/cli/progress.js';

function shown(isTTY: boolean): { progress: Progress; pass: (ms: number) => void; text: () => string } {
  let nowMs = 0;
  let text = '';
  const output = { isTTY, columns: 120, write: (more: string) => (text += more) };
  return { progress: new Progress(output, () => nowMs), pass: (ms) => (nowMs += ms), text: () => text };
}

describe('progress of a long command (Contract 12.3.7)', () => {
  it('is a bar on a terminal, with rate, time left and counts, below other output', () => {
    const { progress, pass, text } = shown(true);
    progress.begin('writing job lines', 1_000);
    pass(1_000);
    progress.add(250, '250 new');
    void progress.line('a fault');
    progress.end();
    const bar = `[${'#'.repeat(6)}${'.'.repeat(18)}]`;
    const drawn = `\r\u001b[Kwriting job lines  25 %  ${bar}  250 of 1000  250/s  3 s left  250 new`;
    expect(text()).toBe(`${drawn}\r\u001b[Ka fault\n${drawn}\n`);
  });

  it('is a line every five seconds without a terminal', () => {
    const { progress, pass, text } = shown(false);
    progress.begin('checking job lines', 1_000);
    for (let step = 0; step < 10; step += 1) {
      pass(1_000);
      progress.add(100);
    }
    progress.end();
    expect(text().match(/^checking job lines {2}\d+ %/gm)).toEqual([
      'checking job lines  50 %',
      'checking job lines  100 %',
      'checking job lines  100 %',
    ]);
    expect(text()).not.toContain('\u001b');
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
