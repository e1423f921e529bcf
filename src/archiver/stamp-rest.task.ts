import { stampRest } from '../change/stamp-rest.js';
import { type Models } from '../models.js';
import { hourMs, type Task } from './task.js';

/** Stamps records that a killed import or seeding inserted, so that lists show them (Contract 12.3.12). */
export const stampRestTask = (models: Models): Task => ({
  name: 'stamp-imported-records',
  everyMs: hourMs,
  isVital: false,
  run: async () => {
    await stampRest(models);
    return true;
  },
});
