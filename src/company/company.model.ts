import { Schema, type Connection, type Model, type Types } from 'mongoose';
import { type Language } from '../errors/catalogue.js';
import { type LocalisedText } from '../content/localised-text.js';
import { type TotalDefinition } from '../database/total-definition.js';
import {
  historyEntrySchema,
  type HistoryEntry,
  unchangingCallSchema,
  type UnchangingCall,
} from '../history/history-entry.js';

/** A company's place in one media; both flags are per media and read-only here (Contract 3.4). */
export interface Membership {
  /** Public id of the media. */
  media: string;
  isPublished: boolean;
  isVmePagePublished: boolean;
}

/** A place of work of the company, which its jobs refer to. */
export interface Office {
  _id: Types.ObjectId;
  publicId: string;
  name: LocalisedText;
}

/** A logo is a stored file, found by the hash of its content, or somebody else's URL. */
export type Logo = { kind: 'file'; hash: string } | { kind: 'url'; url: string };

export interface CompanyRecord {
  _id: Types.ObjectId;
  /** Never changes, whatever is renamed. */
  publicId: string;
  name: string;
  /** The name as it is compared, unique over every media (Contract 4.1.6). */
  nameKey: string;
  domainUrl: string | null;
  /** The domain as it is compared, unique over every media; absent where there is no domain. */
  domainKey?: string;
  /** Public id of the brand. */
  brand: string | null;
  memberships: Membership[];
  offices: Office[];
  size: Types.ObjectId | null;
  sectors: Types.ObjectId[];
  description: string | null;
  language: Language;
  logo: Logo | null;
  /** Subject of the caller that made the record. */
  createdBy: string;
  /** Raised by one at each change. */
  version: number;
  /** Entries that have not moved to the history collection yet. Bounded. */
  pendingHistory: HistoryEntry[];
  /** The last calls with a key that found nothing to change; absent before the first. Bounded. */
  unchangingCalls?: UnchangingCall[];
}

const schema = new Schema<CompanyRecord>(
  {
    publicId: { type: String, required: true },
    name: { type: String, required: true },
    nameKey: { type: String, required: true },
    domainUrl: { type: String, default: null },
    domainKey: String,
    brand: { type: String, default: null },
    memberships: [
      new Schema<Membership>(
        { media: { type: String, required: true }, isPublished: Boolean, isVmePagePublished: Boolean },
        { _id: false },
      ),
    ],
    offices: [
      new Schema<Office>({ publicId: String, name: { type: { en: String, fr: String }, _id: false } }),
    ],
    size: { type: Schema.Types.ObjectId, default: null },
    sectors: [Schema.Types.ObjectId],
    description: { type: String, default: null },
    language: { type: String, required: true, enum: ['fr', 'en'], default: 'fr' },
    logo: { type: new Schema({ kind: String, hash: String, url: String }, { _id: false }), default: null },
    createdBy: { type: String, required: true },
    version: { type: Number, required: true, default: 1 },
    pendingHistory: [historyEntrySchema],
    unchangingCalls: { type: [unchangingCallSchema], default: undefined },
  } satisfies TotalDefinition<CompanyRecord>,
  { collection: 'companies', versionKey: false, autoIndex: false, autoCreate: false },
)
  .index({ publicId: 1 }, { unique: true })
  .index({ nameKey: 1 }, { unique: true })
  .index({ domainKey: 1 }, { unique: true, sparse: true })
  .index({ 'memberships.media': 1, publicId: 1 })
  .index({ 'logo.hash': 1 }, { sparse: true });

export const companyModel = (connection: Connection): Model<CompanyRecord> =>
  connection.model<CompanyRecord>('Company', schema);
