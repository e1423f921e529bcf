import { describe, expect, it } from '@jest/globals';
import { batched } from '../../src/history/batched.js';

describe('questions that are gathered', () => {
  it('are answered together if they are asked in one turn, each with its own answer', async () => {
    const rounds: (readonly number[])[] = [];
    const double = batched(async (numbers: readonly number[]) => {
      rounds.push(numbers);
      return numbers.map((number) => 2 * number);
    });
    expect(await Promise.all([double(1), double(2), double(1)])).toEqual([2, 4, 2]);
    expect(await Promise.all([double(3), double(4)])).toEqual([6, 8]);
    expect(rounds).toEqual([
      [1, 2, 1],
      [3, 4],
    ]);
  });

  it('all fail with their answer, and the next do not', async () => {
    let isBroken = true;
    const echo = batched(async (texts: readonly string[]) => {
      if (isBroken) throw new Error('broken');
      return texts;
    });
    const failed = await Promise.allSettled([echo('a'), echo('b')]);
    expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    isBroken = false;
    expect(await echo('c')).toBe('c');
  });
});
