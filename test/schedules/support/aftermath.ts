import { type Sent, type Told } from './sent.js';

/** What became of a call, as its client sees it. */
export interface Outcome {
  sent: Sent;
  /** Steps of the schedule at which its first command was let through and at which it was answered. */
  startedAt: number;
  endedAt: number;
  /** When it was sent, by the clock of its process. */
  begunAtMs: number;
  end: { kind: 'told'; told: Told } | { kind: 'refused'; code: string } | { kind: 'unknown' };
}

/** All that a schedule has left behind, for the checker. */
export interface Aftermath {
  outcomes: Outcome[];
  /** The same calls sent again at the end: every one without an answer, and every one with a key. */
  repeated: Outcome[];
  jobs: Record<string, unknown>[];
  companies: Record<string, unknown>[];
  history: Record<string, unknown>[];
  logos: Record<string, unknown>[];
  /** The version from which on the history is there. */
  firstVersion: number;
  /** When the lifetime of the job is over. */
  endsAtMs: number;
}
