import { type Sent, type Told } from './sent.js';

/** The outcome of a call, as its client sees it. */
export interface Outcome {
  sent: Sent;
  /** Steps of the schedule at which the call's first command was released and at which the call was answered. */
  startedAt: number;
  endedAt: number;
  /** When the call was sent, by the clock of its process. */
  begunAtMs: number;
  end: { kind: 'told'; told: Told } | { kind: 'refused'; code: string } | { kind: 'unknown' };
}

/** Everything that a schedule left, for the checker. */
export interface Aftermath {
  outcomes: Outcome[];
  /** Calls sent again at the end: calls without an answer, answered calls with a key, and reads. */
  repeated: Outcome[];
  jobs: Record<string, unknown>[];
  companies: Record<string, unknown>[];
  history: Record<string, unknown>[];
  logos: Record<string, unknown>[];
  /** The version of the records at the start: entries begin with the next one. */
  firstVersion: number;
  /** When the lifetime of the job ends. */
  endsAtMs: number;
}
