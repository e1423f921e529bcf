import { type Types } from 'mongoose';
import { type CompanyRecord, type Office } from '../company/company.record.js';
import { type LocalisedText } from '../errors/catalogue.js';
import { type Versioned } from '../history/history-entry.js';
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
 * What a job stores of its company, so that a list is one query. Only imports change it: they take reach away before they write the
 * company, and give it after, so a reader never sees too much.
 */
export interface StoredReach {
  /** The company's brand. */
  brand: string | null;
  /** If not, no list has the job, and changes show it as gone (Contract 5.6.4). */
  isCompanyInMedia: boolean;
  /** The version of the company that this is copied from. */
  companyVersion: number;
}

/** Until its company is looked at, a job is in no list. */
export const noReach: StoredReach = { brand: null, isCompanyInMedia: false, companyVersion: 0 };

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
