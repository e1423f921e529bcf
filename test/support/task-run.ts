import { type TaskRun } from '../../src/archiver/task.js';

/** The run of a task that a test starts itself: it is never asked to stop. */
export const taskRun: TaskRun = {
  id: 'run',
  isStopping: () => false,
  renew: async () => undefined,
};
