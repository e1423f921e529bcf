import { type Models } from '../../src/models.js';
import { type Move } from '../../src/change/records-lease.js';

export const leasesOf = ({ media }: Pick<Models, 'media'>) =>
  media.db.collection<{ _id: string; renewedAt: Date; rest: readonly Move[]; token?: string }>('leases');

/** Ends the lease of a process that was killed, as 60 s of silence do. */
export const loseLease = async (models: Pick<Models, 'media'>): Promise<void> =>
  void (await leasesOf(models).updateOne({ _id: 'records' }, { $set: { renewedAt: new Date(0) } }));

/** Leaves moves as an import does that is killed during its batch. */
export const leaveRest = async (models: Pick<Models, 'media'>, rest: readonly Move[]): Promise<void> =>
  void (await leasesOf(models).updateOne(
    { _id: 'records' },
    { $set: { renewedAt: new Date(0), rest } },
    { upsert: true },
  ));
