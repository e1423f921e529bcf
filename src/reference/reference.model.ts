import { type Types } from 'mongoose';
import { localisedPath, totalSchema } from '../database/total-schema.js';
import { type LocalisedText } from '../errors/catalogue.js';

/** The classifications that jobs and companies point to (Contract 2.4). */
export const referenceKinds = [
  'contract',
  'worktime',
  'remote',
  'education',
  'experience',
  'size',
  'sector',
  'job_category',
] as const;
export type ReferenceKind = (typeof referenceKinds)[number];

export interface ReferenceRecord {
  _id: Types.ObjectId;
  kind: ReferenceKind;
  /** Readable, unique within its kind and never changed, such as `permanent`. */
  publicId: string;
  name: LocalisedText;
  /** Public id of the wider job category that this one belongs to; only job categories have one. */
  parent: string | null;
}

export const referenceSchema = totalSchema<ReferenceRecord>(
  {
    kind: { type: String, required: true, enum: referenceKinds },
    publicId: { type: String, required: true },
    name: { ...localisedPath, required: true },
    parent: { type: String, default: null },
  },
  { collection: 'references', versionKey: false, autoIndex: false, autoCreate: false },
).index({ kind: 1, publicId: 1 }, { unique: true });
