import { type Sent, type Told } from './sent.js';

export interface Outcome {
  sent: Sent;
  /** The step that released the call's first command, and the step that brought the answer. */
  startedAt: number;
  endedAt: number;
  /** When the call was sent, by the clock of its process. */
  begunAtMs: number;
  /** What the reader of a list could read at some instant of the call. */
  reached?: ReadonlySet<string>;
  end: { kind: 'told'; told: Told } | { kind: 'refused'; code: string } | { kind: 'unknown' };
}

export interface Aftermath {
  outcomes: Outcome[];
  /** Sent again at the end: unanswered calls, answered calls with a key, and reads. */
  repeated: Outcome[];
  jobs: Record<string, unknown>[];
  companies: Record<string, unknown>[];
  history: Record<string, unknown>[];
  logos: Record<string, unknown>[];
  /** The version of the records before the first entry of their history. */
  firstVersion: number;
  /** When the job's lifetime ends. */
  endsAtMs: number;
}
