/** A scheduled unit of work. Runs may be repeated, overlap or die halfway: it must be safe to run again. */
export interface Task {
  /** What the workers that share a database know it by. */
  name: string;
  everyMs: number;
  /** Whether the process is not ready while it fails. */
  isVital: boolean;
  /** @returns whether nothing is left to do; if something is, the next worker goes on at once */
  run(control: TaskRun): Promise<boolean>;
}

/** What a task knows of its run. */
export interface TaskRun {
  id: string;
  /** To be asked between steps: whether the process is stopping. */
  isStopping: () => boolean;
  /** To be called after each step: a worker that is silent for 10 seconds counts as dead. */
  renew: () => Promise<void>;
}
