import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { setImmediate } from 'node:timers/promises';
import { Budget } from '../../../src/company/logo/budget.js';

const isGranted = (grant: Promise<void>): Promise<boolean> =>
  Promise.race([grant.then(() => true), setImmediate(false)]);

describe('Budget', () => {
  it('serves the oldest waiting share first, even when a younger one would fit', async () => {
    const budget = new Budget({ all: 10, each: 99 });
    const [first, passing] = [budget.open('a'), budget.open('b')];
    const [second, third] = [budget.open('c'), budget.open('d')];
    await first.take(9);
    await passing.take(3);
    const large = second.take(9);
    const small = third.take(1);
    expect([await isGranted(large), await isGranted(small)]).toEqual([false, false]);
    passing.release();
    expect([await isGranted(large), await isGranted(small)]).toEqual([true, false]);
    second.release();
    expect(await isGranted(small)).toBe(true);
  });

  it('once the total is within the limit again, lets another share exceed it, even if the share that exceeded it before is still open', async () => {
    const budget = new Budget({ all: 10, each: 99 });
    const [first, stalled, next] = [budget.open('a'), budget.open('b'), budget.open('c')];
    await first.take(8);
    await stalled.take(5);
    first.release();
    await next.take(4);
    expect(await isGranted(next.take(4))).toBe(true);
  });

  it('lets only one share of an owner exceed the limit of the owner, and leaves the rest to others', async () => {
    const budget = new Budget({ all: 100, each: 10 });
    const [first, second, third] = [budget.open('hoarder'), budget.open('hoarder'), budget.open('hoarder')];
    await first.take(8);
    await second.take(40);
    const more = third.take(1_000);
    expect(await isGranted(more)).toBe(false);
    expect(await isGranted(second.take(9))).toBe(true);
    expect(await isGranted(budget.open('other').take(40))).toBe(true);
    second.release();
    expect(await isGranted(more)).toBe(true);
  });

  it('never deadlocks or grants more than the limit plus one share', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.record({
            owner: fc.constantFrom('a', 'b', 'c'),
            amounts: fc.array(fc.integer({ min: 1, max: 9 }), { maxLength: 6 }),
          }),
          { maxLength: 12 },
        ),
        async (plans) => {
          const budget = new Budget({ all: 10, each: 4 });
          let out = 0;
          await Promise.all(
            plans.map(async ({ owner, amounts }) => {
              const share = budget.open(owner);
              let mine = 0;
              for (const amount of amounts) {
                await share.take(amount);
                mine += amount;
                out += amount;
                expect(out).toBeLessThanOrEqual(10 + 6 * 9);
                await setImmediate();
              }
              out -= mine;
              share.release();
            }),
          );
          expect(out).toBe(0);
        },
      ),
    );
  });
});
