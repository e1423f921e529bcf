export const lifetimeMs = 90 * 86_400_000;
/** The quota that `spend` uses. Its window is longer than any schedule. */
export const quota = { limit: 1, durationSeconds: 3_600 };
/** The job that the operations read and update, and the job that an import inserts. */
export const jobId = 'acme-backend-engineer';
export const newJobId = 'acme-new';

/** What a client sends: the operation, the new value of one field, and options. */
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
  /** The new value of the field. Only repetitions of the same call have the same value. */
  value: string;
  key?: string;
  expectedVersion?: number;
  /** Whether the company update brings a new logo. */
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
  /** Whether the client was shown the job as published. */
  isPublished?: boolean;
  /** The versions that a follower has read, by public id. The follower continues at the cursor `after`. */
  copy?: Record<string, number>;
  after?: string | null;
}
