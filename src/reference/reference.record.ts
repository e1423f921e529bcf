import { Schema } from 'mongoose';
import { type ReferenceRecord, referenceKinds } from '../fields/reference-snapshot.js';
import { localisedPath, typedSchema } from '../database/typed-schema.js';

export const referenceSchema = typedSchema<ReferenceRecord>(
  {
    kind: { type: String, required: true, enum: referenceKinds },
    publicId: { type: String, required: true },
    name: { ...localisedPath, required: true },
    parent: { type: String, default: null },
    schemaOrg: Schema.Types.Mixed,
    rank: Number,
  },
  { collection: 'references', versionKey: false, autoIndex: false, autoCreate: false },
).index({ kind: 1, publicId: 1 }, { unique: true });
