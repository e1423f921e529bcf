import { turns } from '../../turns.js';
import { LogoWaitError } from './logo-errors.js';

/**
 * Decodes one picture at a time: the worst WebP takes up to 750 MiB. Callers take turns, however many pictures each sends. Throws a
 * LogoWaitError if the turn does not come within 5 s: ordinary pictures decode in a few hundredths of a second, the slowest in 5 or 6 s, so
 * pictures then probably arrive faster than they can be decoded.
 */
export const decodeInTurn = turns({
  concurrency: 1,
  longestWaitMs: 5_000,
  late: () => new LogoWaitError('waited too long for other pictures to be decoded'),
});
