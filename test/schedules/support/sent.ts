export const lifetimeMs = 90 * 86_400_000;
/** The window is longer than any schedule. */
export const quota = { limit: 1, durationSeconds: 3_600 };
export const jobId = 'acme-backend-engineer';
export const newJobId = 'acme-new';
export const homeMedia = 'demo-media';
export const otherMedia = 'other-media';

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
  /** The new end of the job. */
  expiresAt?: string;
  withLogo?: boolean;
  /** The cursor after which a follower continues. */
  after?: string | null;
  /** Whether an import brings a new job. */
  isNew?: boolean;
  /** The media that an import moves the job to. */
  toMedia?: string;
}

export interface Told {
  version?: number | null;
  value?: string | null;
  isReplayed?: boolean;
  /** Whether the client saw the job as published. */
  isPublished?: boolean;
  /** What a follower has read, by public id: the version, or that the record is gone. */
  copy?: Record<string, number | 'gone'>;
  after?: string | null;
}
