import { Schema } from 'mongoose';
import { type ListIndex } from '../database/list-plan.js';
import { localisedPath, totalSchema } from '../database/total-schema.js';
import { recordSchema } from '../history/history.mongoose.js';
import { payPeriods } from './job-choices.rules.js';
import { jobFields } from './job-fields.rules.js';
import { blankJob, type JobRecord, type Question } from './job.record.js';
import { emptyLocation, type Location } from './location/location.js';

const needed = { type: String, required: true } as const;
const locationPaths = Object.fromEntries(Object.keys(emptyLocation).map((name) => [name, String]));

const never = ['nameKey', 'company'];
const withState = ['expiresAt', ...never];

/**
 * The indexes that lists of jobs read. Each also compares the fields in its last column without reading a job.
 *
 * | Order               | Reach and filter                                   | Rewritten by updates of | Compares too              |
 * | ------------------- | -------------------------------------------------- | ----------------------- | ------------------------- |
 * | `public_id`         | media, and + company, createdBy or brand           | nothing                 | name, company             |
 * | `public_id`         | the same + state                                   | state, end              | end, name, company        |
 * | `published_at_desc` | media, and + company, createdBy or brand; + state  | state, end              | end, name, company        |
 * | `expires_at_asc`    | media, and + company, createdBy or brand; + state  | state, end              | name, company             |
 * | `updated_at_desc`   | media, and + company, createdBy or brand; + state  | anything                | end, name, company        |
 *
 * A list counts as in a state if it asks for the jobs that end before an instant. In other orders than `public_id`, a list without a
 * state is one of all states. No index serves these lists, which look at a limited number of jobs for each page: `updatedSince`
 * in other orders, and more than 66 companies in three states. For a reach of several roles, a list reads an index for each role.
 */
export const jobLists: readonly ListIndex[] = [[], ['company'], ['createdBy'], ['brand']].flatMap((owner) => {
  const listed = ['media', 'isCompanyInMedia', ...owner];
  // The feed, which reads this too, also shows the jobs of companies that have left.
  const inFeed = ['media', ...owner];
  return [
    { equal: listed, order: 'public_id', covered: never },
    { equal: [...listed, 'state'], order: 'public_id', covered: withState },
    { equal: [...listed, 'state'], order: 'published_at_desc', covered: withState },
    { equal: [...listed, 'state'], order: 'expires_at_asc', covered: never },
    { equal: [...inFeed, 'state'], order: 'updated_at_desc', covered: [...withState, 'isCompanyInMedia'] },
  ];
});

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
