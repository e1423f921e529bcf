import { type Model } from 'mongoose';
import { type LogoStore } from '../../company/logo/logo-store.js';
import { collectionOf } from '../../database/collection-of.js';
import { insertAbsent, insertStamped } from '../../database/insert-absent.js';
import { type Models } from '../../models.js';
import { type Versioned } from '../../history/history-entry.js';
import { type VersionedKind } from '../../history/history.model.js';
import { VersionedRecords } from '../../history/versioned-records.js';
import { type RecordKind } from '../line-format.js';
import { type Plan } from './plan.js';

type Writer = (plans: readonly Plan[]) => Promise<Plan[]>;

/**
 * A writer inserts all new records with one command, updates all stored records with another, and returns the plans that lost a race.
 * Each record is written whole or not at all.
 */
export function createWriters(models: Models, logos: LogoStore): Record<RecordKind, Writer> {
  const plain =
    <R>({ collection }: Model<R>): Writer =>
    async (plans) => {
      const lost = await insertAll(plans, collection, insertAbsent);
      const updates = plans.flatMap(({ set }) =>
        set ? [{ updateOne: { filter: { _id: set.id as never }, update: { $set: set.values } } }] : [],
      );
      if (updates.length > 0) await collection.bulkWrite(updates, { ordered: false });
      return lost;
    };
  const versioned = <R extends Versioned>(kind: VersionedKind, model: Model<R>): Writer => {
    const records = new VersionedRecords<R>(kind, model, collectionOf(models.history));
    return async (plans) => {
      for (const { logo } of plans) if (logo) await logos.put(logo);
      const lost = await insertAll(plans, model.collection, insertStamped);
      const writes = plans.flatMap((plan) =>
        plan.versions ? [{ plan, record: plan.versions.record as R, steps: plan.versions.steps }] : [],
      );
      return [...lost, ...(await records.writeMany(writes)).map(({ plan }) => plan)];
    };
  };
  return {
    media: plain(models.media),
    reference: plain(models.references),
    company: versioned('company', models.companies),
    job: versioned('job', models.jobs),
  };
}

async function insertAll(
  plans: readonly Plan[],
  collection: Model<never>['collection'],
  insert: typeof insertStamped,
): Promise<Plan[]> {
  const inserting = plans.flatMap((plan) => (plan.insert ? [{ plan, record: plan.insert }] : []));
  const refused = await insert(
    collection,
    inserting.map(({ record }) => record),
  );
  return refused.flatMap((index) => inserting[index]?.plan ?? []);
}
