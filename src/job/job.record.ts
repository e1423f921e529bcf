import { Types } from 'mongoose';
import { type CompanyRecord, type Office } from '../company/company.record.js';
import { type LocalisedText } from '../errors/catalogue.js';
import { type MadeCall } from '../idempotency/keyed-call.js';
import { newlyVersioned, type Versioned } from '../history/history-entry.js';
import {
  type ApplicationMethod,
  type JobReference,
  jobReferences,
  type JobState,
  jobTexts,
  type PayPeriod,
} from './job-choices.rules.js';
import { emptyLocation, type Location } from './location/location.js';

/** HTML; null if not set. */
export type JobDescription = Record<(typeof jobTexts)[number], string | null>;

/** A minimum, a maximum or both, as exact decimals, with an ISO 4217 currency and a period. */
export interface SalaryRange {
  minimum: string | null;
  maximum: string | null;
  currency: string;
  period: PayPeriod;
}

export interface Question {
  _id: Types.ObjectId;
  name: string;
  ref: string;
  refType: string;
  title: LocalisedText;
  placeholder?: LocalisedText;
  isRequired: boolean;
}

/**
 * A job's copy of who reaches its company, so that a list is one query. Only imports change it: they take reach away before they write the
 * company, and give it after, so a reader never sees too much.
 */
export interface StoredReach {
  /** The company's brand. */
  brand: string | null;
  /** If not, no list has the job, and changes show it as gone. */
  isCompanyInMedia: boolean;
  /** How new this copy is: see {@link reachVersionOf}. */
  companyVersion: number;
}

/** The media of a job that is being removed: nobody reaches it any more. */
export const nowhere = '';

/** Until its company is looked at, a job is in no list. */
export const noReach: StoredReach = { brand: null, isCompanyInMedia: false, companyVersion: 0 };

/** The paths that {@link reachOf} needs. */
export const reachPaths = ['brand', 'version', 'reachVersion', 'memberships'] as const;

/** How new a copy of the company is. Until an import first changes who reaches its jobs, a company counts by its versions. */
export const reachVersionOf = ({
  version,
  reachVersion,
}: Pick<CompanyRecord, 'version' | 'reachVersion'>): number => reachVersion ?? version;

/** The copy for a job in this media. */
export const reachOf = (
  { brand, memberships, ...versions }: Pick<CompanyRecord, (typeof reachPaths)[number]>,
  media: string,
): StoredReach => ({
  brand: brand ?? null,
  isCompanyInMedia: memberships.some((each) => each.media === media),
  companyVersion: reachVersionOf(versions),
});

export interface JobRecord extends Versioned, StoredReach, Record<JobReference, Types.ObjectId | null> {
  /** Public ids of the job's media and company. */
  media: string;
  company: string;
  name: string;
  nameKey: string;
  /** The stored state. For the current state, call `stateAt`. */
  state: JobState;
  /** When the job was last published. */
  publishedAt: Date | null;
  /** When the job ends, or ended. Null if it was never published. */
  expiresAt: Date | null;
  /** One of the company's offices. */
  office: Types.ObjectId | null;
  salary: string | null;
  salaryRange: SalaryRange | null;
  /** As the caller sent it. */
  localisation: string | null;
  /** Resolved from `localisation`, or imported by an operator. */
  location: Location;
  description: JobDescription;
  questions: Question[];
  applicationMethod: ApplicationMethod;
  applicationUrl: string | null;
  managerEmails: string[];
  recruiterEmails: string[];
  /** The creator's token subject. */
  createdBy: string;
  /** When its archiving was stored; from then on JOB_RETENTION counts. */
  archivedAt?: Date;
  /** The keyed call that created the job, as evidence for 24 h if its reply is lost. */
  creationCall?: MadeCall;
}

/** A job's company, and the office where the job is based. */
export interface Employer extends CompanyRecord {
  /** Check that its `_id` equals the job's `office`: if the company lacks the job's office, this is another office or none. */
  office?: Office | null | undefined;
}

/** Both have only the requested paths. */
export interface JobOfCompany {
  job: JobRecord;
  company: Employer;
}

export const blankJob: Omit<
  JobRecord,
  keyof Versioned | 'media' | 'company' | 'name' | 'nameKey' | 'createdBy'
> = {
  state: 'draft',
  publishedAt: null,
  expiresAt: null,
  ...(Object.fromEntries(Object.keys(jobReferences).map((path) => [path, null])) as Record<
    JobReference,
    null
  >),
  office: null,
  salary: null,
  salaryRange: null,
  localisation: null,
  location: emptyLocation,
  description: Object.fromEntries(jobTexts.map((part) => [part, null])) as JobDescription,
  questions: [],
  applicationMethod: 'internal_apply',
  applicationUrl: null,
  managerEmails: [],
  recruiterEmails: [],
  ...noReach,
};

/** Has every key of a new job: where a spread adds keys to an object, Node.js 20 takes 50 µs for each job, and 2 µs where it has them. */
const unwritten = {
  ...newlyVersioned(new Date(0)),
  _id: new Types.ObjectId(),
  publicId: '',
  createdBy: '',
  media: '',
  company: '',
  name: '',
  nameKey: '',
  ...blankJob,
};

/** A job as it is before its first fields are written. */
export const emptyJob = (
  identity: Pick<JobRecord, 'publicId' | 'createdBy'> & Partial<Pick<JobRecord, 'media' | 'company'>>,
  now: Date,
): JobRecord => ({ ...unwritten, ...newlyVersioned(now), _id: new Types.ObjectId(), ...identity });
