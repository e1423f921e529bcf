import { Types } from 'mongoose';
import { changesOf } from '../../fields/fields.rules.js';
import { missingWhenNew } from '../read-line.js';
import { type Planner, readStored } from './plan.js';

export const planMedia: Planner<'media'> = async (lines, { models, arriving }) => {
  const byId = await readStored(models.media, lines);
  return lines.map((line) => {
    const { public_id: publicId = '', name, job_url_template: jobUrlTemplate } = line.own;
    const plan = { line, warnings: [] };
    const media = byId.get(publicId);
    const values = { ...(name && { name }), ...(jobUrlTemplate && { jobUrlTemplate }) };
    if (!media) line.faults.push(...missingWhenNew('media', line));
    if (line.faults.length > 0) return plan;
    arriving?.media.add(publicId);
    if (!media) return { ...plan, insert: { _id: new Types.ObjectId(), publicId, ...values } };
    return changesOf(media, values).length > 0 ? { ...plan, set: { id: media._id, values } } : plan;
  });
};
