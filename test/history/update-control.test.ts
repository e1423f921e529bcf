import { describe, expect, it, jest } from '@jest/globals';
import { retryLostRace } from '../../src/history/update-control.js';

describe('an update that loses its race (Contract 9.2)', () => {
  /** Loses so many races, then wins. */
  const losing = (races: number) => {
    const tried = { count: 0 };
    const attempt = async () => ((tried.count += 1) > races ? 'written' : null);
    return { tried, outcome: retryLostRace(attempt) };
  };

  it('is tried again, up to 25 times in all', async () => {
    expect(await losing(0).outcome).toBe('written');
    expect(await losing(24).outcome).toBe('written');
  });

  it('is then told to come back in a second', async () => {
    const { tried, outcome } = losing(25);
    await expect(outcome).rejects.toMatchObject({
      code: 'service-unavailable',
      details: { retryAfterSeconds: 1 },
      cause: { message: 'lost too many races' },
    });
    expect(tried.count).toBe(25);
  });

  it('waits between its tries, a while that is never the same', async () => {
    const random = jest.spyOn(Math, 'random').mockReturnValue(0.9);
    const startedAtMs = performance.now();
    await losing(10).outcome;
    expect(performance.now() - startedAtMs).toBeGreaterThan(10 * 15);
    expect(random).toHaveBeenCalledTimes(10);
    random.mockRestore();
  });
});
