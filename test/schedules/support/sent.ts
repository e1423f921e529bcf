import { parseSettings } from '../../../src/settings/settings.js';

export const settings = parseSettings({ DATABASE_TIMEOUT: '5s' });
export const lifetimeMs = settings.jobLifetimeMs;
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
    | 'importCompany'
    | 'archive'
    | 'removeLogos'
    | 'readJob'
    | 'listPublished'
    | 'list'
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
  /** The brand that an import gives to the company, or that the reader of a list administers; without one, the reader's token is for the media. */
  brand?: string;
  /** The media that an import puts the company in, or the only one, whose list is read. */
  inMedia?: readonly string[];
}

export interface Told {
  version?: number | null;
  value?: string | null;
  isReplayed?: boolean;
  /** Whether the client saw the job as published. */
  isPublished?: boolean;
  /** The public ids of a list, and its `totalCount`. */
  listed?: string[];
  count?: number | null;
  /** What a follower has read, by public id: the version, or that the record is gone. */
  copy?: Record<string, number | 'gone'>;
  after?: string | null;
}
