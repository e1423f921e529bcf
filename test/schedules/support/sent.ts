export const lifetimeMs = 90 * 86_400_000;
/** The window is longer than any schedule. */
export const quota = { limit: 1, durationSeconds: 3_600 };
export const jobId = 'acme-backend-engineer';
export const newJobId = 'acme-new';

export interface Sent {
  operation:
    | 'updateJob'
    | 'updateCompany'
    | 'import'
    | 'archive'
    | 'removeLogos'
    | 'readJob'
    | 'listPublished'
    | 'follow'
    | 'spend';
  /** The field's new value. Only repetitions of a call have the same value. */
  value: string;
  key?: string;
  expectedVersion?: number;
  withLogo?: boolean;
  /** The cursor after which a follower continues. */
  after?: string | null;
  /** Whether an import brings a new job. */
  isNew?: boolean;
}

export interface Told {
  version?: number | null;
  value?: string | null;
  isReplayed?: boolean;
  /** Whether the client saw the job as published. */
  isPublished?: boolean;
  /** The versions that a follower has read, by public id. */
  copy?: Record<string, number>;
  after?: string | null;
}
