import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Budget } from '../../../src/company/logo/budget.js';

async function isGranted(grant: Promise<void>): Promise<boolean> {
  return Promise.race([
    grant.then(() => true),
    new Promise<boolean>((resolve) => {
      setImmediate(() => {
        resolve(false);
      });
    }),
  ]);
}

describe('a budget', () => {
  it('makes a share wait until there is room', async () => {
    const budget = new Budget(10);
    const [first, second] = [budget.open(), budget.open()];
    await first.take(8);
    const grant = second.take(3);
    expect(await isGranted(grant)).toBe(false);
    first.release();
    expect(await isGranted(grant)).toBe(true);
  });

  it('lets the oldest share pass the limit, so that it can finish', async () => {
    const budget = new Budget(10);
    const [oldest, younger] = [budget.open(), budget.open()];
    await younger.take(10);
    expect(await isGranted(oldest.take(5))).toBe(true);
    expect(await isGranted(younger.take(1))).toBe(false);
  });

  it('serves the older first, even when a younger one would fit', async () => {
    const budget = new Budget(10);
    const [first, second, third] = [budget.open(), budget.open(), budget.open()];
    await first.take(8);
    const large = second.take(9);
    const small = third.take(1);
    expect([await isGranted(large), await isGranted(small)]).toEqual([false, false]);
    first.release();
    expect([await isGranted(large), await isGranted(small)]).toEqual([true, true]);
  });

  it('forgets a share that gives up while others wait', async () => {
    const budget = new Budget(1);
    const [first, second] = [budget.open(), budget.open()];
    await first.take(1);
    const grant = second.take(1);
    first.release();
    expect(await isGranted(grant)).toBe(true);
    second.release();
    second.release();
    expect(await isGranted(budget.open().take(1))).toBe(true);
  });

  it('lets all finish, however they grow, with never more out than the limit and one share', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(fc.integer({ min: 1, max: 9 }), { maxLength: 6 }), { maxLength: 12 }),
        async (plans) => {
          const budget = new Budget(10);
          let out = 0;
          await Promise.all(
            plans.map(async (amounts) => {
              const share = budget.open();
              let mine = 0;
              for (const amount of amounts) {
                await share.take(amount);
                mine += amount;
                out += amount;
                expect(out).toBeLessThanOrEqual(10 + 6 * 9);
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
