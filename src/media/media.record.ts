import { type Model, type Types } from 'mongoose';
import { typedSchema } from '../database/typed-schema.js';

/** A recruitment site. Its public id never changes. */
export interface MediaRecord {
  _id: Types.ObjectId;
  publicId: string;
  name: string;
  /** The public page of a job, with `{company}` and `{job}` as placeholders for the public ids. */
  jobUrlTemplate: string;
}

export const mediaSchema = typedSchema<MediaRecord>(
  {
    publicId: { type: String, required: true },
    name: { type: String, required: true },
    jobUrlTemplate: { type: String, required: true },
  },
  { collection: 'media', versionKey: false, autoIndex: false, autoCreate: false },
).index({ publicId: 1 }, { unique: true });

/** Public ids. */
export const allMediaIn = async (media: Model<MediaRecord>): Promise<string[]> =>
  (await media.find({}, { publicId: 1 }).lean()).map(({ publicId }) => publicId);
