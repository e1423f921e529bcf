/** Runs can overlap, repeat or die half-way, so a task must be safe to run again. */
export interface Task {
  /** Unique: workers on a database use the name to agree on who runs the task. */
  name: string;
  everyMs: number;
  /** Whether the process is not ready while the task fails; default false. */
  isVital?: boolean;
  /** @returns true if nothing is left to do; false lets the next worker continue at once */
  run(control: TaskRun): Promise<boolean>;
}

export interface TaskRun {
  id: string;
  /** Check this between steps. */
  isStopping: () => boolean;
  /** Call this after each step: a worker that is silent for 10 s counts as dead. */
  renew: () => Promise<void>;
}
