import { type Model } from 'mongoose';
import { type LogoStore } from '../../company/logo/logo-store.js';
import { collectionOf } from '../../database/collection-of.js';
import { insertAbsent, type Inserting, insertWithChangedAt } from '../../database/insert-absent.js';
import { membershipIn } from '../../permissions/reach.rules.js';
import { type CompanyRecord } from '../../company/company.record.js';
import { type JobRecord } from '../../job/job.record.js';
import { completeMoves } from '../../change/complete-moves.js';
import { type Lease, type Move } from '../../change/records-lease.js';
import { collectionsOf, insertJobs, type Narrowing, narrowReach } from '../../job/stored-reach.js';
import { allMediaIn } from '../../media/media.record.js';
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
export function createWriters(models: Models, logos: LogoStore, lease: Lease): Record<RecordKind, Writer> {
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
  /** If this process dies, the next holder of the lease completes the moves. */
  const moving = async (moves: readonly Move[], writeAll: () => Promise<Plan[]>): Promise<Plan[]> => {
    if (moves.length === 0) return writeAll();
    await lease.begin(moves);
    const lost = await writeAll();
    await completeMoves(models, moves);
    await lease.begin([]);
    return lost;
  };
  return {
    media: plain(models.media),
    reference: plain(models.references),
    company: async (plans) => {
      const changes = plans.flatMap(({ versions }) => (versions ? reachChangeOf(versions) : []));
      return moving(
        changes.map(({ move }) => move),
        async () => {
          if (changes.length > 0)
            await narrowReach(collections.jobs, changes, await allMediaIn(models.media));
          return write('company', models.companies, plans, insertWithChangedAt);
        },
      );
    },
    job: async (plans) => {
      const moves = plans.flatMap(({ versions }) => (versions && isMoved(versions) ? jobMove(versions) : []));
      return moving(moves, () =>
        write('job', models.jobs, plans, (_, records) =>
          insertJobs(collections, records as readonly JobRecord[]),
        ),
      );
    },
  };
}

type Insert = (collection: Model<never>['collection'], records: readonly Inserting[]) => Promise<number[]>;

const isMoved = ({ steps }: Versions): boolean =>
  steps.some(({ internal = {} }) => internal.isCompanyInMedia === false);

function jobMove({ record, steps }: Versions): Move {
  const [before, after] = [record, recordAfter(record, steps)] as [JobRecord, JobRecord];
  return { kind: 'job', publicId: before.publicId, media: [...new Set([before.media, after.media])] };
}

/** How a company's new version changes who reaches its jobs; empty if it does not. */
function reachChangeOf({ record, steps }: Versions): (Narrowing & { move: Move })[] {
  const [company, after] = [record, recordAfter(record, steps)] as [CompanyRecord, CompanyRecord];
  const isBrandChanged = company.brand !== after.brand;
  const media = new Set([...company.memberships, ...after.memberships].map((each) => each.media));
  const left = [...media].filter((each) => !membershipIn(after, each));
  const moved = isBrandChanged
    ? [...media]
    : [...media].filter((each) => !membershipIn(company, each) || left.includes(each));
  // A company in no media can change its brand.
  if (moved.length === 0 && !isBrandChanged) return [];
  return [
    { company, isBrandChanged, left, move: { kind: 'company', publicId: company.publicId, media: moved } },
  ];
}

async function insertAll(plans: readonly Plan[], collection: Model<never>['collection'], insert: Insert) {
  const inserting = plans.flatMap((plan) => (plan.insert ? [{ plan, record: plan.insert }] : []));
  const records = inserting.map(({ record }) => record);
  const refused = await insert(collection, records);
  return refused.flatMap((index) => inserting[index]?.plan ?? []);
}
