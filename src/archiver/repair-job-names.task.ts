import { repairNameKeys } from '../database/repair-name-keys.js';
import { type Models } from '../models.js';
import { dayMs, type Task } from './task.js';

/** Stores the name keys of jobs that version 1.x stored or renamed. Companies get theirs at each start, because updates need them. */
export const repairJobNamesTask = ({ jobs }: Pick<Models, 'jobs'>): Task => ({
  name: 'repair-job-names',
  everyMs: dayMs,
  isVital: false,
  run: async ({ isStopping, renew }) => {
    const pages = repairNameKeys(jobs);
    while (!(await pages.next()).done) {
      await renew();
      if (isStopping()) return false;
    }
    return true;
  },
});
