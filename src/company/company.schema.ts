import { localisedPath, totalSchema } from '../database/total-schema.js';
import { languages } from '../errors/catalogue.js';
import { recordSchema } from '../history/history-entry.js';
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
