import { type LogoService } from '../company/logo/logo.service.js';
import { type Task } from './task.js';

const hourMs = 3_600_000;
/** A step takes a few milliseconds, far from the time after which a silent worker counts as dead. */
const stepsPerRenewal = 100;

/**
 * Removes once an hour what no company points at: logos and halves of logos that crashes have left. What is younger than
 * an hour may be an upload under way (Contract 4.1.7.7).
 */
export const removeOrphanLogosTask = (logos: LogoService): Task => ({
  name: 'remove-orphan-logos',
  everyMs: hourMs,
  isVital: false,
  run: async ({ isStopping, renew }) => {
    let steps = 0;
    await logos.removeOrphans(hourMs, async () => {
      if (++steps % stepsPerRenewal === 0) await renew();
      return !isStopping();
    });
    // What a stop has left is for the next hour.
    return true;
  },
});
