import { type Task } from '../archiver/task.js';
import { type Metrics } from './metrics.js';

/** The methods that routes accept. Callers may invent others; those are counted together. */
const methods = new Set(['GET', 'HEAD', 'POST', 'PATCH', 'OPTIONS']);

/** Measures a request by the pattern of its route, never by the path that a caller wrote. */
export const measureRequest =
  ({ requests }: Metrics) =>
  (
    { method, route = 'none' }: { method: string | undefined; route: string | undefined },
    { status, ms }: { status: number; ms: number },
  ): void => {
    const known = method !== undefined && methods.has(method) ? method : 'other';
    requests.observe({ method: known, route, status }, ms / 1_000);
  };

/** Counts the runs of a task and what they skip. Each begins at 0: Prometheus would not see the first one as an increase. */
export function measureTask(
  task: Task,
  { taskRuns, taskSkips }: Pick<Metrics, 'taskRuns' | 'taskSkips'>,
): Task {
  for (const outcome of ['succeeded', 'failed']) taskRuns.inc({ task: task.name, outcome }, 0);
  taskSkips.inc({ task: task.name }, 0);
  return {
    ...task,
    run: async (control) => {
      let outcome = 'failed';
      try {
        const skip: typeof control.skip = (...skipped) => {
          taskSkips.inc({ task: task.name });
          control.skip(...skipped);
        };
        const isComplete = await task.run({ ...control, skip });
        outcome = 'succeeded';
        return isComplete;
      } finally {
        taskRuns.inc({ task: task.name, outcome });
      }
    },
  };
}
