import { type Models } from '../../src/models.js';

export const leasesOf = ({ media }: Pick<Models, 'media'>) =>
  media.db.collection<{ _id: string; renewedAt: Date; rest?: object[]; token?: string }>('leases');

/** Ends the lease of a process that was killed, as 60 s of silence do. */
export const loseLease = async (models: Pick<Models, 'media'>): Promise<void> =>
  void (await leasesOf(models).updateOne({ _id: 'records' }, { $set: { renewedAt: new Date(0) } }));

/** Leaves a lease as a killed holder does. */
export const leaveLease = async (models: Pick<Models, 'media'>, values: object = {}): Promise<void> =>
  void (await leasesOf(models).updateOne(
    { _id: 'records' },
    { $set: { renewedAt: new Date(0), ...values } },
    { upsert: true },
  ));

/** Marks a company as an import does that is killed before or after it has written the company. */
export const markAsMoving = async (
  { companies }: Pick<Models, 'companies'>,
  publicId: string,
  syncMedia: string[],
): Promise<void> =>
  void (await companies.collection.updateOne({ publicId }, [
    { $set: { isSyncDue: true, syncMedia, reachVersion: { $add: ['$version', 1] } } },
  ]));
