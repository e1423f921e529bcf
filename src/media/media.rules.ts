import { nodeId } from '../fields/row.rules.js';
import { type MediaRecord } from './media.record.js';

export const toMedia = ({ publicId, name }: Pick<MediaRecord, 'publicId' | 'name'>) => ({
  id: nodeId('Media', publicId),
  publicId,
  name,
});
export type MediaView = ReturnType<typeof toMedia>;
