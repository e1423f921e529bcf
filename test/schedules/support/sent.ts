export const lifetimeMs = 90 * 86_400_000;
/** The quota that `spend` takes its units from; no schedule lasts as long as its window. */
export const quota = { limit: 1, durationSeconds: 3_600 };
/** The job that the operations are about, and the one that an import brings in. */
export const jobId = 'acme-backend-engineer';
export const newJobId = 'acme-new';

/** What a client sends: a field of one record, with what accompanies it. */
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
  /** What the field becomes; no two calls but repetitions share it. */
  value: string;
  key?: string;
  expectedVersion?: number;
  /** Whether a company's new logo comes with it. */
  withLogo?: boolean;
  /** The cursor after which a follower goes on. */
  after?: string | null;
  /** Whether an import brings a job that is not there yet. */
  isNew?: boolean;
}

/** What the client is told. */
export interface Told {
  version?: number | null;
  value?: string | null;
  isReplayed?: boolean;
  /** Whether it was shown the job as a published one. */
  isPublished?: boolean;
  /** The versions that a follower has seen, by public id, and where it goes on. */
  copy?: Record<string, number>;
  after?: string | null;
}
