import { setTimeout as sleep } from 'node:timers/promises';
import { DomainError } from '../errors/domain-error.js';

/** How often a write that lost a race is tried again before the caller hears 503. */
const mostAttempts = 25;
const longestPauseMs = 20;

/**
 * Repeats an attempt that answers null because somebody else changed the record in between (Contract 9.2).
 * @throws DomainError service-unavailable when it keeps losing
 */
export async function retryLostRace<T>(attempt: () => Promise<T | null>): Promise<T> {
  for (let count = 0; count < mostAttempts; count += 1) {
    const result = await attempt();
    if (result !== null) return result;
    // Pauses of different lengths, so that those who lost the same race do not meet again.
    await sleep(Math.random() * longestPauseMs);
  }
  throw new DomainError('service-unavailable', {
    retryAfterSeconds: 1,
    cause: new Error('lost too many races'),
  });
}
