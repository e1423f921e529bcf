import { mongo, type Model } from 'mongoose';
import { type LogoStore } from '../../company/logo/logo-store.js';
import { VersionedRecords } from '../../history/versioned-records.js';
import { type Models } from '../../database/models.js';
import { type RecordKind } from '../record-format.js';
import { type Plan } from './plan.js';

const duplicateKey = 11_000;

type Writer = (plans: readonly Plan[]) => Promise<Plan[]>;

/**
 * Writes a batch of plans, those of one kind, in two commands at most. Each record is written whole or not at all.
 * @returns what was not written, because somebody else was there first: to be planned anew
 */
export function createWriters(models: Models, logos: LogoStore): Record<RecordKind, Writer> {
  const companies = new VersionedRecords('company', models.companies, models.history);
  const jobs = new VersionedRecords('job', models.jobs, models.history);
  const plain = (model: Model<never>) => async (plans: readonly Plan[]) => [
    ...(await insertAll(model, plans)),
    ...(await setAll(model, plans)),
  ];
  const versioned =
    (model: Model<never>, records: VersionedRecords<never>) => async (plans: readonly Plan[]) => {
      const images = plans.flatMap(({ logo }) => logo ?? []);
      for (const image of images) await logos.put(image);
      return [
        ...(await insertAll(model, plans)),
        ...(
          await records.writeMany(
            plans.flatMap((plan) =>
              plan.versions ? [{ plan, ...(plan.versions as never as VersionsOf) }] : [],
            ),
          )
        ).map(({ plan }) => plan),
      ];
    };
  return {
    media: plain(models.media as unknown as Model<never>),
    reference: plain(models.references as unknown as Model<never>),
    company: versioned(
      models.companies as unknown as Model<never>,
      companies as unknown as VersionedRecords<never>,
    ),
    job: versioned(models.jobs as unknown as Model<never>, jobs as unknown as VersionedRecords<never>),
  };
}

type VersionsOf = { record: never; steps: NonNullable<Plan['versions']>['steps'] };

async function insertAll(model: Model<never>, plans: readonly Plan[]): Promise<Plan[]> {
  const inserting = plans.filter(({ insert }) => insert);
  if (inserting.length === 0) return [];
  try {
    await model.collection.insertMany(
      inserting.map(({ insert }) => insert as mongo.Document),
      { ordered: false },
    );
    return [];
  } catch (error) {
    if (!(error instanceof mongo.MongoBulkWriteError)) throw error;
    const faults = [error.writeErrors].flat();
    // Without a word on single records the reply was lost, or the command refused.
    if (faults.length === 0) throw error;
    if (error.result.getWriteConcernError() || faults.some(({ code }) => code !== duplicateKey)) throw error;
    return faults.flatMap(({ index }) => inserting[index] ?? []);
  }
}

async function setAll(model: Model<never>, plans: readonly Plan[]): Promise<Plan[]> {
  const setting = plans.flatMap(({ set }) => set ?? []);
  if (setting.length > 0)
    await model.collection.bulkWrite(
      setting.map(({ id, values }) => ({
        updateOne: { filter: { _id: id as never }, update: { $set: values } },
      })),
      { ordered: false },
    );
  return [];
}
