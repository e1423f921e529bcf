import { Schema, type Connection, type Model, type Types } from 'mongoose';
import { type LocalisedText } from '../content/localised-text.js';
import { type TotalDefinition } from '../database/total-definition.js';
import {
  historyEntrySchema,
  type HistoryEntry,
  unchangingCallSchema,
  type UnchangingCall,
} from '../history/history-entry.js';
import {
  type ApplicationMethod,
  applicationMethods,
  type JobState,
  jobStates,
  jobTexts,
} from './job-choices.rules.js';
import { type Location } from './location/location.js';

/** The texts of a job, null where never set (Contract 2.2.3). */
export type JobDescription = Record<(typeof jobTexts)[number], string | null>;

export interface Question {
  _id: Types.ObjectId;
  name: string;
  ref: string;
  refType: string;
  title: LocalisedText;
  placeholder?: LocalisedText;
  isRequired: boolean;
}

export interface JobRecord {
  _id: Types.ObjectId;
  /** Never changes. */
  publicId: string;
  /** Public ids of the media and of the company. */
  media: string;
  company: string;
  name: string;
  /** As stored. Readers must ask `stateAt`, since a job is archived from the instant its lifetime ends. */
  state: JobState;
  /** When it last moved into published. */
  publishedAt: Date | null;
  contract: Types.ObjectId | null;
  jobCategory: Types.ObjectId | null;
  worktime: Types.ObjectId | null;
  remote: Types.ObjectId | null;
  education: Types.ObjectId | null;
  experience: Types.ObjectId | null;
  /** One of the company's offices. */
  office: Types.ObjectId | null;
  salary: string | null;
  /** The place as the caller wrote it, and what it was resolved to. */
  localisation: string | null;
  location: Location;
  description: JobDescription;
  questions: Question[];
  applicationMethod: ApplicationMethod;
  applicationUrl: string | null;
  managerEmails: string[];
  recruiterEmails: string[];
  /** Subject of the caller that made the record. */
  createdBy: string;
  /** Raised by one at each change. */
  version: number;
  /** Entries that have not moved to the history collection yet. Bounded. */
  pendingHistory: HistoryEntry[];
  /** The last calls with a key that found nothing to change; absent before the first. Bounded. */
  unchangingCalls?: UnchangingCall[];
}

const reference = { type: Schema.Types.ObjectId, default: null };
const text = { type: String, default: null };
const localised = { type: { en: String, fr: String }, _id: false };

const schema = new Schema<JobRecord>(
  {
    publicId: { type: String, required: true },
    media: { type: String, required: true },
    company: { type: String, required: true },
    name: { type: String, required: true },
    state: { type: String, required: true, enum: jobStates, default: 'draft' },
    publishedAt: { type: Date, default: null },
    contract: reference,
    jobCategory: reference,
    worktime: reference,
    remote: reference,
    education: reference,
    experience: reference,
    office: reference,
    salary: text,
    localisation: text,
    location: new Schema<Location>(
      {
        addressNbr: text,
        address: text,
        city: { type: String, default: '' },
        department: { type: String, default: '' },
        region: { type: String, default: '' },
        zipCode: { type: String, default: '' },
        countryCode: { type: String, default: '' },
      } satisfies TotalDefinition<Location>,
      { _id: false },
    ),
    description: Object.fromEntries(jobTexts.map((part) => [part, text])),
    questions: [
      new Schema<Question>({
        name: String,
        ref: String,
        refType: String,
        title: localised,
        placeholder: localised,
        isRequired: Boolean,
      } satisfies TotalDefinition<Question>),
    ],
    applicationMethod: { type: String, required: true, enum: applicationMethods, default: 'internal_apply' },
    applicationUrl: text,
    managerEmails: [String],
    recruiterEmails: [String],
    createdBy: { type: String, required: true },
    version: { type: Number, required: true, default: 1 },
    pendingHistory: [historyEntrySchema],
    unchangingCalls: { type: [unchangingCallSchema], default: undefined },
  } satisfies TotalDefinition<JobRecord>,
  { collection: 'jobs', versionKey: false, autoIndex: false, autoCreate: false },
)
  .index({ publicId: 1 }, { unique: true })
  .index({ media: 1, publicId: 1 })
  .index({ media: 1, company: 1, publicId: 1 })
  // For the archiving task. Only published jobs are in it, so it stays small however many are archived.
  .index(
    { publishedAt: 1 },
    { partialFilterExpression: { state: 'published' }, name: 'published_at_of_published' },
  );

export const jobModel = (connection: Connection): Model<JobRecord> =>
  connection.model<JobRecord>('Job', schema);
