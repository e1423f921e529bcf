import { type ListIndex } from '../database/list-plan.js';
import { localisedPath, totalSchema } from '../database/total-schema.js';
import { languages } from '../errors/catalogue.js';
import { recordSchema } from '../history/history.mongoose.js';
import { companyFields } from './company-fields.rules.js';
import {
  blankCompany,
  type CompanyRecord,
  type Logo,
  type Membership,
  type Office,
} from './company.record.js';

export const officeSchema = totalSchema<Office>({
  publicId: { type: String, required: true },
  name: { ...localisedPath, required: true },
});

/**
 * The indexes that lists of companies read: one for each reach and order. An update rewrites the three entries with `changedAt`.
 *
 * | Reach          | `public_id`                    | `updated_at_desc`                         |
 * | -------------- | ------------------------------ | ----------------------------------------- |
 * | a media        | memberships.media              | memberships.media                         |
 * | a creator      | createdBy, memberships.media   | createdBy, memberships.media              |
 * | a brand        | brand, memberships.media       | brand, memberships.media                  |
 *
 * No index serves searches by name: an index with a path into a list can't compare further fields without reading the records. A page of a
 * search looks at a limited number of records.
 */
export const companyLists: readonly ListIndex[] = [[], ['createdBy'], ['brand']].flatMap((owner) => [
  { equal: [...owner, 'memberships.media'], order: 'public_id' },
  { equal: [...owner, 'memberships.media'], order: 'updated_at_desc' },
]);

export const companySchema = recordSchema<CompanyRecord>(
  'companies',
  blankCompany,
  companyFields,
  {
    nameKey: { type: String, required: true },
    domainKey: String,
    brand: String,
    memberships: [
      totalSchema<Membership>(
        { media: { type: String, required: true }, isPublished: Boolean, isVmePagePublished: Boolean },
        { _id: false },
      ),
    ],
    offices: [officeSchema],
    language: { type: String, required: true, enum: languages },
    logo: totalSchema<Logo>({ kind: String, hash: String, url: String }, { _id: false }),
    createdBy: { type: String, required: true },
  },
  companyLists,
)
  .index({ nameKey: 1 }, { unique: true })
  .index({ domainKey: 1 }, { unique: true, sparse: true })
  .index({ 'logo.hash': 1 }, { sparse: true });
