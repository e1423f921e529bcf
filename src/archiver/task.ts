/** A scheduled unit of work. Runs may be repeated, overlap or die halfway: it must be safe to run again. */
export interface Task {
  /** Its name, by which the workers that share a database agree on who runs it. */
  name: string;
  everyMs: number;
  /** Whether the process reports not ready while the task fails. */
  isVital: boolean;
  /** @returns true if nothing is left to do; if false, the next worker goes on at once */
  run(control: TaskRun): Promise<boolean>;
}

/** What a task can ask and report while it runs. */
export interface TaskRun {
  id: string;
  /** Tells whether the process is stopping; a task asks between its steps. */
  isStopping: () => boolean;
  /** Says that the worker lives; a task calls it after each step. A worker that is silent for 10 s counts as dead. */
  renew: () => Promise<void>;
}
