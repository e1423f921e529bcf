import { type Sent, type Told } from './sent.js';

/** The outcome of a call, as its client sees it. */
export interface Outcome {
  sent: Sent;
  /** The steps of the schedule that released the call's first command, and that ended with the call's answer. */
  startedAt: number;
  endedAt: number;
  /** When the call was sent, by the clock of its process. */
  begunAtMs: number;
  end: { kind: 'told'; told: Told } | { kind: 'refused'; code: string } | { kind: 'unknown' };
}

/** Everything that the checker needs to know about a schedule that has ended. */
export interface Aftermath {
  outcomes: Outcome[];
  /** Calls sent again at the end: calls without an answer, answered calls with a key, and reads. */
  repeated: Outcome[];
  jobs: Record<string, unknown>[];
  companies: Record<string, unknown>[];
  history: Record<string, unknown>[];
  logos: Record<string, unknown>[];
  /** The version of the records before the first entry of their history. */
  firstVersion: number;
  /** When the lifetime of the job ends. */
  endsAtMs: number;
}
