import { type Model } from 'mongoose';
import { type LogoStore } from '../../company/logo/logo-store.js';
import { collectionOf } from '../../database/collection-of.js';
import { insertAbsent, type Inserting, insertWithChangedAt } from '../../database/insert-records.js';
import { membershipIn } from '../../permissions/reach.rules.js';
import { type CompanyRecord } from '../../company/company.record.js';
import { type JobRecord, reachVersionOf } from '../../job/job.record.js';
import { beginMoves, completeMoves, dueIn, welcome } from '../../change/moves.js';
import { collectionsOf, insertJobs, type ReachChange } from '../../job/stored-reach.js';
import { type Models } from '../../models.js';
import { type Versioned } from '../../history/history-entry.js';
import { recordAfter } from '../../history/version-write.rules.js';
import { type VersionedKind } from '../../history/history.record.js';
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
      plan.versions ? [{ plan, ...plan.versions, record: plan.versions.record as R }] : [],
    );
    return [...lost, ...(await records.writeMany(writes)).map(({ plan }) => plan)];
  };
  const collections = collectionsOf(models);
  return {
    media: plain(models.media),
    reference: plain(models.references),
    company: async (plans) => {
      const changes = plans.flatMap(({ versions }) => (versions ? reachChangesOf(versions) : []));
      await beginMoves(models, changes);
      const lost = await write('company', models.companies, plans, insertWithChangedAt);
      if (changes.length > 0) await completeMoves(models);
      return lost;
    },
    job: async (plans) => {
      const lost = await write('job', models.jobs, plans, async (_, records) => {
        const refused = await insertJobs(collections, records as readonly JobRecord[]);
        await welcome(models, records.filter((_record, index) => !refused.includes(index)) as JobRecord[]);
        return refused;
      });
      if (plans.some(({ versions }) => versions && isMoved(versions))) await completeMoves(models);
      return lost;
    },
  };
}

type Insert = (collection: Model<never>['collection'], records: readonly Inserting[]) => Promise<number[]>;

const isMoved = ({ steps }: Versions): boolean => steps.some(({ internal }) => internal?.isSyncDue === true);

/**
 * How a company's new version changes who reaches its jobs; empty if it does not. Lets the version write the company still marked, unless
 * somebody has completed the mark meanwhile.
 */
function reachChangesOf(versions: Versions): (ReachChange & { syncMedia: readonly string[] })[] {
  const { record, steps } = versions;
  const [company, after] = [record, recordAfter(record, steps)] as [CompanyRecord, CompanyRecord];
  const isBrandChanged = company.brand !== after.brand;
  const media = new Set([...company.memberships, ...after.memberships].map((each) => each.media));
  const left = [...media].filter((each) => !membershipIn(after, each));
  const syncMedia = isBrandChanged
    ? [...media]
    : [...media].filter((each) => !membershipIn(company, each) || left.includes(each));
  const last = steps.at(-1);
  // A company in no media can change its brand.
  if (!last || (syncMedia.length === 0 && !isBrandChanged)) return [];
  const reachVersion = reachVersionOf(company) + 1;
  last.internal = { ...last.internal, ...dueIn(syncMedia) };
  versions.condition = { reachVersion };
  return [{ company, isBrandChanged, left, reachVersion, syncMedia }];
}

async function insertAll(plans: readonly Plan[], collection: Model<never>['collection'], insert: Insert) {
  const inserting = plans.flatMap((plan) => (plan.insert ? [{ plan, record: plan.insert }] : []));
  const records = inserting.map(({ record }) => record);
  const refused = await insert(collection, records);
  return refused.flatMap((index) => inserting[index]?.plan ?? []);
}
