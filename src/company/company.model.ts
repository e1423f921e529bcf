import { Schema, type Types } from 'mongoose';
import { type Language, languages, type LocalisedText } from '../errors/catalogue.js';
import { localisedPath, totalSchema } from '../database/total-schema.js';
import { indexKey, type ListIndex } from '../database/list-plan.js';
import { unversioned, type Versioned, versionedPaths } from '../history/history-entry.js';

/** Callers cannot change the flags (Contract 3.4). */
export interface Membership {
  /** Public id of the media. */
  media: string;
  isPublished: boolean;
  isVmePagePublished: boolean;
}

export const membershipIn = (
  { memberships }: Pick<CompanyRecord, 'memberships'>,
  mediaPublicId: string,
): Membership | undefined => memberships.find(({ media }) => media === mediaPublicId);

/** A workplace that jobs refer to. */
export interface Office {
  _id: Types.ObjectId;
  publicId: string;
  name: LocalisedText;
}

/** A file stored under the hash of its content, or an external URL. */
type Logo = { kind: 'file'; hash: string } | { kind: 'url'; url: string };

export interface CompanyRecord extends Versioned {
  name: string;
  /** Unique across all media (Contract 4.1.6). */
  nameKey: string;
  domainUrl: string | null;
  /** Unique across all media. Absent if there is no domain: the sparse index would count a stored null. */
  domainKey?: string | null;
  /** Public id of the brand. */
  brand: string | null;
  memberships: Membership[];
  offices: Office[];
  size: Types.ObjectId | null;
  sectors: Types.ObjectId[];
  description: string | null;
  language: Language;
  logo: Logo | null;
  /** Subject of the caller who created the record. */
  createdBy: string;
  /** The version for which an import has taken reach away from the company's jobs: until the next version, no job gets it. */
  narrowedVersion?: number;
}

/** The paths that decide which callers reach a company. */
export const reachPaths = ['brand', 'createdBy'] as const satisfies (keyof CompanyRecord)[];

export const blankCompany: Omit<CompanyRecord, '_id' | 'publicId' | 'name' | 'nameKey' | 'createdBy'> = {
  domainUrl: null,
  brand: null,
  memberships: [],
  offices: [],
  size: null,
  sectors: [],
  description: null,
  language: 'fr',
  logo: null,
  ...unversioned,
};

export const officeSchema = totalSchema<Office>({
  publicId: { type: String, required: true },
  name: { ...localisedPath, required: true },
});

const inMedia = 'memberships.media';
const [byPublicId, byChange] = [['publicId'], ['changedAt', 'publicId']];

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
export const companyLists: readonly ListIndex[] = [byPublicId, byChange].flatMap((order) => [
  { equal: [inMedia], order },
  { equal: ['createdBy', inMedia], order },
  { equal: ['brand', inMedia], order },
]);

export const companySchema = totalSchema<CompanyRecord>(
  {
    publicId: { type: String, required: true },
    name: { type: String, required: true },
    nameKey: { type: String, required: true },
    domainUrl: String,
    domainKey: String,
    brand: String,
    memberships: [
      totalSchema<Membership>(
        { media: { type: String, required: true }, isPublished: Boolean, isVmePagePublished: Boolean },
        { _id: false },
      ),
    ],
    offices: [officeSchema],
    size: Schema.Types.ObjectId,
    sectors: [Schema.Types.ObjectId],
    description: String,
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
