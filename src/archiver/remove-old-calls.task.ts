import { forgottenBefore } from '../history/version-write.rules.js';
import { type Models } from '../models.js';
import { removeFromRecords } from './remove-from-records.js';
import { hourMs, type Task } from './task.js';

/** Removes the digests of calls that changed nothing from records that no write has cleaned since (Contract 9.3.10). */
export const removeOldCallsTask = (models: Models, clock: () => Date): Task => ({
  name: 'remove-old-calls',
  everyMs: hourMs,
  isVital: false,
  run: (control) => removeFromRecords('unchangingCalls', forgottenBefore(clock()), models, control),
});
