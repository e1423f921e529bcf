import { indexKey } from '../database/list-plan.js';
import { localisedPath, recordSchema, totalSchema } from '../database/total-schema.js';
import { languages } from '../errors/catalogue.js';
import { versionedPaths } from '../history/history-entry.js';
import { companyFields } from './company-fields.rules.js';
import {
  blankCompany,
  companyLists,
  type CompanyRecord,
  type Logo,
  type Membership,
  type Office,
} from './company.model.js';

export const officeSchema = totalSchema<Office>({
  publicId: { type: String, required: true },
  name: { ...localisedPath, required: true },
});

export const companySchema = recordSchema<CompanyRecord>(
  blankCompany,
  companyFields,
  {
    publicId: { type: String, required: true },
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
    narrowedVersion: Number,
    ...versionedPaths,
  },
  { collection: 'companies', versionKey: false, autoIndex: false, autoCreate: false },
)
  .index({ publicId: 1 }, { unique: true })
  .index({ nameKey: 1 }, { unique: true })
  .index({ domainKey: 1 }, { unique: true, sparse: true })
  .index({ unsettledMedia: 1 }, { sparse: true })
  .index({ 'unchangingCalls.at': 1 }, { sparse: true })
  .index({ 'logo.hash': 1 }, { sparse: true });

for (const index of companyLists) companySchema.index(indexKey(index));
