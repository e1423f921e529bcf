import { Schema } from 'mongoose';
import { ascending, type IndexRow } from '../database/indexes.js';
import { localisedPath, typedSchema } from '../database/typed-schema.js';
import { madeCallSchema, publicIdIndex, recordSchema, syncDueIndex } from '../history/history.mongoose.js';
import { type ListSort } from '../paging/order.rules.js';
import { payPeriods } from './job-choices.rules.js';
import { jobFields } from './job-fields.rules.js';
import { blankJob, type JobRecord, type Question } from './job.record.js';
import { emptyLocation, type Location } from './location/location.js';

const needed = { type: String, required: true } as const;
const locationPaths = Object.fromEntries(Object.keys(emptyLocation).map((name) => [name, String]));

/** Whose jobs a list has. */
const owners = {
  media: { fields: [], jobs: 'a media' },
  company: { fields: ['company'], jobs: 'companies in a media' },
  createdBy: { fields: ['createdBy'], jobs: 'a partner in a media' },
  brand: { fields: ['brand'], jobs: 'a brand in a media' },
} as const;

/** The fields of an order, and the further ones that a list compares without reading a job. */
const orderFields: Record<ListSort, readonly string[]> = {
  public_id: ['publicId', 'expiresAt', 'nameKey', 'company'],
  updated_at_desc: ['changedAt', 'publicId', 'expiresAt'],
  published_at_desc: ['publishedAt', 'publicId', 'expiresAt'],
};

/** The index of a list. A list without a state asks for all states. Ascending: a descending order reads it backwards. */
export function jobListKey(owner: keyof typeof owners, order: ListSort): Record<string, 1> {
  const { fields } = owners[owner];
  return ascending('media', 'isCompanyInMedia', ...new Set([...fields, 'state', ...orderFields[order]]));
}

export const jobIndexes: readonly IndexRow[] = [
  publicIdIndex,
  ...(Object.keys(owners) as (keyof typeof owners)[]).flatMap((owner) =>
    (Object.keys(orderFields) as ListSort[]).map((order) => ({
      key: jobListKey(owner, order),
      serves: `lists of the jobs of ${owners[owner].jobs}, in the order \`${order}\``,
    })),
  ),
  {
    key: { expiresAt: 1 },
    options: { partialFilterExpression: { state: 'published' }, name: 'expires_at_of_published' },
    serves: 'the task that archives jobs; has published jobs alone',
  },
  syncDueIndex,
];

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
      typedSchema<Question>({
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
    archivedAt: Date,
    creationCall: madeCallSchema,
  },
  jobIndexes,
);
