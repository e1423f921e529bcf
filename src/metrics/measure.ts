import { type Task } from '../archiver/task.js';
import { type Metrics } from './metrics.js';

/** All other methods share one label, because callers can invent methods. */
const methods = new Set(['GET', 'HEAD', 'POST', 'PATCH', 'OPTIONS']);

/** The route is the pattern, never the path that the caller sent. */
export const measureRequest =
  ({ requests }: Metrics) =>
  (
    { method, route = 'none' }: { method: string | undefined; route: string | undefined },
    { status, ms }: { status: number; ms: number },
  ): void => {
    const known = method !== undefined && methods.has(method) ? method : 'other';
    requests.observe({ method: known, route, status }, ms / 1_000);
  };

/** All counters start at 0, or Prometheus would miss the first increase. */
export function measureTask(
  task: Task,
  { taskRuns, taskSucceeded }: Pick<Metrics, 'taskRuns' | 'taskSucceeded'>,
): Task {
  for (const outcome of ['succeeded', 'failed']) taskRuns.inc({ task: task.name, outcome }, 0);
  return {
    ...task,
    run: async (control) => {
      let outcome = 'failed';
      try {
        const isComplete = await task.run(control);
        outcome = 'succeeded';
        taskSucceeded.set({ task: task.name }, Date.now() / 1_000);
        return isComplete;
      } finally {
        taskRuns.inc({ task: task.name, outcome });
      }
    },
  };
}
