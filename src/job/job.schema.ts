import { Schema } from 'mongoose';
import { localisedPath, totalSchema } from '../database/total-schema.js';
import { recordSchema } from '../history/history-entry.js';
import { payPeriods } from './job-choices.rules.js';
import { jobFields } from './job-fields.rules.js';
import { blankJob, jobLists, type JobRecord, type Question } from './job.model.js';
import { emptyLocation, type Location } from './location/location.js';

const needed = { type: String, required: true } as const;
const locationPaths = Object.fromEntries(Object.keys(emptyLocation).map((name) => [name, String]));

export const jobSchema = recordSchema<JobRecord>(
  'jobs',
  blankJob,
  jobFields,
  {
    media: { type: String, required: true },
    company: { type: String, required: true },
    nameKey: needed,
    publishedAt: Date,
    office: Schema.Types.ObjectId,
    salaryRange: {
      type: { minimum: String, maximum: String, currency: needed, period: { ...needed, enum: payPeriods } },
      _id: false,
    },
    location: {
      type: new Schema<Location>({ ...locationPaths, countryCode: needed }, { _id: false }),
      required: true,
    },
    questions: [
      totalSchema<Question>({
        name: needed,
        ref: needed,
        refType: needed,
        title: { ...localisedPath, required: true },
        placeholder: localisedPath,
        isRequired: { type: Boolean, required: true },
      }),
    ],
    createdBy: { type: String, required: true },
    brand: String,
    isCompanyInMedia: Boolean,
    companyVersion: Number,
  },
  jobLists,
)
  // For the archiving task. Covers only published jobs, so the index stays small.
  .index(
    { expiresAt: 1 },
    { partialFilterExpression: { state: 'published' }, name: 'expires_at_of_published' },
  );
