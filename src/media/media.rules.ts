import { field, nodeId, type RowsFor } from '../fields/row.rules.js';
import { type MediaRecord } from './media.record.js';

export const toMedia = ({ publicId, name }: Pick<MediaRecord, 'publicId' | 'name'>) => ({
  id: nodeId('Media', publicId),
  publicId,
  name,
});
export type MediaView = ReturnType<typeof toMedia>;

export const media = {
  description: 'A recruitment site.',
  isNode: true,
  fields: {
    id: field('ID!', 'Id of the media in the whole graph.', null),
    publicId: field('String!', 'Readable id. Never changes.', null),
    name: field('String!', 'Name of the media.', null),
  } satisfies RowsFor<MediaView>,
};
