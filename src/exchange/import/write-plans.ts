import { type Model } from 'mongoose';
import { type LogoStore } from '../../company/logo/logo-store.js';
import { collectionOf } from '../../database/collection-of.js';
import { insertAbsent, type Inserting, insertStamped } from '../../database/insert-absent.js';
import { membershipIn } from '../../access/reach.rules.js';
import { type CompanyRecord } from '../../company/company.model.js';
import { type JobRecord } from '../../job/job.model.js';
import { collectionsOf, copyReach, copyReachOf, insertJobs, narrowReach } from '../../job/stored-reach.js';
import { allMediaIn } from '../../media/media.model.js';
import { type Models } from '../../models.js';
import { type Versioned } from '../../history/history-entry.js';
import { recordAfter } from '../../history/version-write.rules.js';
import { type VersionedKind } from '../../history/history.model.js';
import { VersionedRecords } from '../../history/versioned-records.js';
import { type RecordKind } from '../line-format.js';
import { type Plan } from './plan.js';

type Versions = NonNullable<Plan['versions']>;

type Writer = (plans: readonly Plan[]) => Promise<Plan[]>;

/** A writer inserts new records and updates stored records, each whole or not at all, and returns the plans that lost a race. */
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
  const write = async <R extends Versioned>(
    kind: VersionedKind,
    model: Model<R>,
    plans: readonly Plan[],
    insert: Insert,
  ): Promise<Plan[]> => {
    const records = new VersionedRecords<R>(kind, model, collectionOf(models.history));
    for (const { logo } of plans) if (logo) await logos.put(logo);
    const lost = await insertAll(plans, model.collection, insert);
    const writes = plans.flatMap((plan) =>
      plan.versions ? [{ plan, record: plan.versions.record as R, steps: plan.versions.steps }] : [],
    );
    return [...lost, ...(await records.writeMany(writes)).map(({ plan }) => plan)];
  };
  const collections = collectionsOf(models);
  return {
    media: plain(models.media),
    reference: plain(models.references),
    company: async (plans) => {
      const narrowings = plans.flatMap(({ versions }) => (versions ? narrowingOf(versions) : []));
      if (narrowings.length === 0) return write('company', models.companies, plans, insertStamped);
      // If this process dies, the next import finds the companies by their mark.
      await models.companies.bulkWrite(
        narrowings.map(({ company, media }) => ({
          updateOne: {
            filter: { publicId: company.publicId, version: company.version },
            update: {
              $push: { unsettledMedia: { $each: media } },
              $set: { narrowedVersion: company.version },
            },
          },
        })),
      );
      const media = await allMediaIn(models.media);
      await narrowReach(collections.jobs, narrowings, media);
      const lost = await write('company', models.companies, plans, insertStamped);
      await copyReachOf(collections, { media, company: narrowings.map(({ company }) => company.publicId) });
      return lost;
    },
    job: async (plans) => {
      const lost = await write('job', models.jobs, plans, (_, records) =>
        insertJobs(collections, records as readonly JobRecord[]),
      );
      const moved = plans.flatMap(({ versions }) =>
        versions && isMoved(versions) ? [recordAfter(versions.record, versions.steps) as JobRecord] : [],
      );
      await copyReach(collections, moved);
      return lost;
    },
  };
}

type Insert = (collection: Model<never>['collection'], records: readonly Inserting[]) => Promise<number[]>;

const isMoved = ({ steps }: Versions): boolean =>
  steps.some(({ internal = {} }) => internal.isCompanyInMedia === false);

/** How a company's new version changes who reaches its jobs; empty if it does not. */
function narrowingOf({ record, steps }: Versions) {
  const company = record as CompanyRecord;
  const { brand, memberships, unsettledMedia: media = [] } = recordAfter(company, steps);
  const isBrandChanged = brand !== company.brand;
  const isSettled = !('unsettledMedia' in (steps.at(-1)?.derived ?? {}));
  // A company in no media can change its brand.
  if (isSettled && !isBrandChanged) return [];
  const left = company.memberships
    .map((membership) => membership.media)
    .filter((each) => !membershipIn({ memberships }, each));
  return [{ company, media, isBrandChanged, left }];
}

async function insertAll(plans: readonly Plan[], collection: Model<never>['collection'], insert: Insert) {
  const inserting = plans.flatMap((plan) => (plan.insert ? [{ plan, record: plan.insert }] : []));
  const records = inserting.map(({ record }) => record);
  const refused = await insert(collection, records);
  return refused.flatMap((index) => inserting[index]?.plan ?? []);
}
