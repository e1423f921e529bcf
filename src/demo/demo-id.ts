import { createHash } from 'node:crypto';
import { Types } from 'mongoose';

/** The id of a demo record: the same on every machine and at every seeding, different for every collection and key. */
export const demoId = (collection: string, key: string): Types.ObjectId =>
  Types.ObjectId.createFromHexString(
    createHash('sha256').update(`${collection}:${key}`).digest('hex').slice(0, 24),
  );
