/** How often the tasks run that clean up. */
export const hourMs = 3_600_000;

/** A scheduled unit of work. It must be safe to run again: runs may be repeated, overlap or die halfway. */
export interface Task {
  /** Workers that share a database use the name to agree on who runs the task. */
  name: string;
  everyMs: number;
  /** Whether the process reports that it is not ready while the task fails. */
  isVital: boolean;
  /** @returns true if nothing is left to do; if false, the next worker goes on at once */
  run(control: TaskRun): Promise<boolean>;
}

/** What a running task can ask and report. */
export interface TaskRun {
  id: string;
  /** Whether the process is stopping. A task asks between its steps. */
  isStopping: () => boolean;
  /** Reports that the worker is alive. A task calls it after each step: a worker that is silent for 10 s counts as dead. */
  renew: () => Promise<void>;
  /** Tells of a record that the task goes past, since it cannot be processed. Its first skip in a process is logged. */
  skip: (kind: string, publicId: string, why: Error) => void;
}
