import { totalSchema } from '../database/total-schema.js';
import { type MediaRecord } from './media.record.js';

export const mediaSchema = totalSchema<MediaRecord>(
  {
    publicId: { type: String, required: true },
    name: { type: String, required: true },
    jobUrlTemplate: { type: String, required: true },
  },
  { collection: 'media', versionKey: false, autoIndex: false, autoCreate: false },
).index({ publicId: 1 }, { unique: true });
