import { setTimeout as sleep } from 'node:timers/promises';
import { unavailable } from '../errors/domain-error.js';

const mostAttempts = 25;
const longestPauseMs = 20;

/**
 * Repeats an attempt until its result is not null, at most 25 times. Null means that another call changed the record between read and
 * write.
 * @param giveUp creates the error to throw after the last attempt; default service-unavailable
 */
export async function retryLostRace<T>(
  attempt: () => Promise<T | null>,
  giveUp = (): Error => unavailable(new Error('lost too many races')),
): Promise<T> {
  for (let count = 0; count < mostAttempts; count += 1) {
    const result = await attempt();
    if (result !== null) return result;
    // Wait for a random time, or the same two updates collide again.
    await sleep(Math.random() * longestPauseMs);
  }
  throw giveUp();
}
