import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { setImmediate } from 'node:timers/promises';
import { Budget } from '../../../src/company/logo/budget.js';

const isGranted = (grant: Promise<void>): Promise<boolean> =>
  Promise.race([grant.then(() => true), setImmediate(false)]);

describe('Budget', () => {
  it('lets one share exceed the limit; the next share waits for room', async () => {
    const budget = new Budget({ all: 10, each: 10 });
    const [first, second, third] = [budget.open('owner'), budget.open('owner'), budget.open('owner')];
    await first.take(8);
    expect(await isGranted(second.take(3))).toBe(true);
    const grant = third.take(1);
    expect(await isGranted(grant)).toBe(false);
    first.release();
    expect(await isGranted(grant)).toBe(true);
  });

  it('lets the share that exceeded the limit take more until it is released', async () => {
    const budget = new Budget({ all: 10, each: 10 });
    const [older, passing] = [budget.open('owner'), budget.open('owner')];
    await older.take(10);
    await passing.take(1);
    const grant = older.take(1);
    expect(await isGranted(grant)).toBe(false);
    expect(await isGranted(passing.take(5))).toBe(true);
    passing.release();
    expect(await isGranted(grant)).toBe(true);
  });

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

  it('once the total is within the limit again, lets another share exceed it, even if the one that did before is still open', async () => {
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

  it('is not blocked by a share that takes nothing', async () => {
    const budget = new Budget({ all: 10, each: 10 });
    const [idle, first, second] = [budget.open('owner'), budget.open('owner'), budget.open('owner')];
    await first.take(10);
    expect(await isGranted(second.take(5))).toBe(true);
    idle.release();
  });

  it('serves a waiting share once the others are released, and ignores a second release', async () => {
    const budget = new Budget({ all: 1, each: 1 });
    const [first, passing, second] = [budget.open('owner'), budget.open('owner'), budget.open('owner')];
    await first.take(1);
    await passing.take(1);
    const grant = second.take(1);
    first.release();
    passing.release();
    expect(await isGranted(grant)).toBe(true);
    second.release();
    second.release();
    expect(await isGranted(budget.open('owner').take(1))).toBe(true);
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
