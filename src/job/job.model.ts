import { Schema, type Types } from 'mongoose';
import { localisedPath, totalSchema } from '../database/total-schema.js';
import { type LocalisedText } from '../errors/catalogue.js';
import { unversioned, type Versioned, versionedPaths } from '../history/history-entry.js';
import {
  type ApplicationMethod,
  applicationMethods,
  type JobReference,
  jobReferences,
  type JobState,
  jobStates,
  jobTexts,
} from './job-choices.rules.js';
import { emptyLocation, type Location } from './location/location.js';

/** The HTML texts of a job. A text that is not set is null (Contract 2.2.3). */
export type JobDescription = Record<(typeof jobTexts)[number], string | null>;

/** Pay of a job: a minimum, a maximum or both, with an ISO 4217 currency and a period. The amounts are exact decimals in text. */
export interface SalaryRange {
  minimum: string | null;
  maximum: string | null;
  currency: string;
  period: string;
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

export interface JobRecord extends Versioned, Record<JobReference, Types.ObjectId | null> {
  /** Public ids of the job's media and company. */
  media: string;
  company: string;
  name: string;
  /** The stored state. For the current state, call `stateAt`: a published job counts as archived once its lifetime has ended. */
  state: JobState;
  /** When the job was last published. */
  publishedAt: Date | null;
  /** The id of one of the company's offices. */
  office: Types.ObjectId | null;
  salary: string | null;
  /** Absent in jobs stored by version 1.1.0. */
  salaryRange?: SalaryRange | null;
  /** The place text, as the caller sent it. */
  localisation: string | null;
  /** The location that `localisation` resolved to, or that an operator imported. */
  location: Location;
  description: JobDescription;
  questions: Question[];
  applicationMethod: ApplicationMethod;
  applicationUrl: string | null;
  managerEmails: string[];
  recruiterEmails: string[];
  /** The token subject of the caller who created the job. */
  createdBy: string;
}

const forReferences = <Value>(value: Value) =>
  Object.fromEntries(Object.keys(jobReferences).map((path) => [path, value])) as Record<JobReference, Value>;

export const blankJob: Omit<JobRecord, '_id' | 'publicId' | 'media' | 'company' | 'name' | 'createdBy'> = {
  state: 'draft',
  publishedAt: null,
  ...forReferences(null),
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
  ...unversioned,
};

const text = String;
const textPaths = <Texts extends Record<keyof Texts, string | null>>(blank: Texts) =>
  Object.fromEntries(Object.keys(blank).map((name) => [name, text]));

export const jobSchema = totalSchema<JobRecord>(
  {
    publicId: { type: String, required: true },
    media: { type: String, required: true },
    company: { type: String, required: true },
    name: { type: String, required: true },
    state: { type: String, required: true, enum: jobStates },
    publishedAt: Date,
    ...forReferences(Schema.Types.ObjectId),
    office: Schema.Types.ObjectId,
    salary: text,
    salaryRange: { type: { minimum: text, maximum: text, currency: text, period: text }, _id: false },
    localisation: text,
    location: new Schema<Location>(textPaths(emptyLocation), { _id: false }),
    description: textPaths(blankJob.description),
    questions: [
      totalSchema<Question>({
        name: String,
        ref: String,
        refType: String,
        title: localisedPath,
        placeholder: localisedPath,
        isRequired: Boolean,
      }),
    ],
    applicationMethod: { type: String, required: true, enum: applicationMethods },
    applicationUrl: text,
    managerEmails: [String],
    recruiterEmails: [String],
    createdBy: { type: String, required: true },
    ...versionedPaths,
  },
  { collection: 'jobs', versionKey: false, autoIndex: false, autoCreate: false },
)
  .index({ publicId: 1 }, { unique: true })
  // Includes name and company, so that a search by name or a list of a large brand's jobs reads only the jobs that it returns.
  .index({ media: 1, publicId: 1, name: 1, company: 1 })
  .index({ media: 1, company: 1, publicId: 1 })
  .index({ media: 1, createdBy: 1, publicId: 1 })
  .index({ media: 1, state: 1, publicId: 1 })
  // For lists sorted by last write or filtered by `updatedSince`.
  .index({ media: 1, changedAt: 1, publicId: 1 })
  // For `changes`, which also lists jobs whose lifetime has ended.
  .index(
    { media: 1, publishedAt: 1, publicId: 1 },
    { partialFilterExpression: { state: 'published' }, name: 'ends_in_media' },
  )
  .index({ unsettledMedia: 1 }, { sparse: true })
  // For the archiving task. Covers only published jobs, so the index stays small however many jobs are archived.
  .index(
    { publishedAt: 1 },
    { partialFilterExpression: { state: 'published' }, name: 'published_at_of_published' },
  );
