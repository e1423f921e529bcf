import { ascending, type IndexRow } from '../database/indexes.js';
import { localisedPath, typedSchema } from '../database/typed-schema.js';
import { languages } from '../errors/catalogue.js';
import { publicIdIndex, recordSchema, syncDueIndex } from '../history/history.mongoose.js';
import { type ListSort } from '../paging/order.rules.js';
import { companyFields } from './company-fields.rules.js';
import {
  blankCompany,
  type CompanyRecord,
  type Logo,
  type Membership,
  type Office,
} from './company.record.js';

const officeSchema = typedSchema<Office>({
  publicId: { type: String, required: true },
  name: { ...localisedPath, required: true },
});

export type CompanySort = Exclude<ListSort, 'published_at_desc'>;

/** Whose companies a list has. */
const owners = {
  media: { fields: [], companies: 'a media' },
  createdBy: { fields: ['createdBy'], companies: 'a partner in a media' },
  brand: { fields: ['brand'], companies: 'a brand in a media' },
} as const;

const orderFields: Record<CompanySort, readonly string[]> = {
  public_id: ['publicId'],
  updated_at_desc: ['changedAt', 'publicId'],
};

/**
 * The index of a list. It has no further fields: an index with a path into a list can't compare them without reading the records, so a
 * list with a filter reads companies.
 */
export const companyListKey = (owner: keyof typeof owners, order: CompanySort): Record<string, 1> =>
  ascending(...owners[owner].fields, 'memberships.media', ...orderFields[order]);

export const companyIndexes: readonly IndexRow[] = [
  publicIdIndex,
  ...(Object.keys(owners) as (keyof typeof owners)[]).flatMap((owner) =>
    (Object.keys(orderFields) as CompanySort[]).map((order) => ({
      key: companyListKey(owner, order),
      serves: `lists of the companies of ${owners[owner].companies}, in the order \`${order}\``,
    })),
  ),
  { key: { nameKey: 1 }, options: { unique: true }, serves: 'finding a company by its name' },
  {
    key: { domainKey: 1 },
    options: { unique: true, sparse: true },
    serves: 'finding a company by its domain',
  },
  { key: { 'logo.hash': 1 }, options: { sparse: true }, serves: 'the task that removes unused logos' },
  {
    key: { 'keyedCalls.key': 1 },
    options: { sparse: true },
    serves: 'a repeated call: somebody may have renamed the company that it named',
  },
  syncDueIndex,
];

export const companySchema = recordSchema<CompanyRecord>(
  'companies',
  blankCompany,
  companyFields,
  {
    nameKey: { type: String, required: true },
    domainKey: String,
    brand: String,
    memberships: [
      typedSchema<Membership>(
        { media: { type: String, required: true }, isPublished: Boolean, isVmePagePublished: Boolean },
        { _id: false },
      ),
    ],
    offices: [officeSchema],
    language: { type: String, required: true, enum: languages },
    logo: typedSchema<Logo>({ kind: String, hash: String, url: String }, { _id: false }),
    createdBy: { type: String, required: true },
    reachVersion: Number,
  },
  companyIndexes,
);
