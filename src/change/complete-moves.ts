import { type Model } from 'mongoose';
import { type CompanyRecord } from '../company/company.record.js';
import {
  boundedWrite,
  insertWithChangedAt,
  lacksChangedAt,
  setChangedAt,
} from '../database/insert-absent.js';
import { planList } from '../database/list-plan.js';
import { collectionOf } from '../database/collection-of.js';
import { type Origin, type Versioned } from '../history/history-entry.js';
import { type StoredEntry, type VersionedKind } from '../history/history.record.js';
import { VersionedRecords } from '../history/versioned-records.js';
import { jobLists } from '../job/job.mongoose.js';
import { type JobRecord } from '../job/job.record.js';
import { collectionsOf, copyReach, copyReachOf, placedJobs, type RecordModels } from '../job/stored-reach.js';
import { allMediaIn, type MediaRecord } from '../media/media.record.js';
import { type Departure, departureId, presentRecords } from './departure.record.js';
import { type Lease, type Move } from './records-lease.js';

interface Moved extends RecordModels {
  media: Model<MediaRecord>;
  departures: Model<Departure>;
}

/** A departure, before the database dates it. */
type Leaving = Omit<Departure, 'changedAt'>;

/**
 * Completes what a killed holder of the lease left half done. The holder may only have been paused, so the records that it was moving get a
 * new version: if it writes them late, its writes fail.
 */
export async function completeRest(
  models: Moved & { history: Model<StoredEntry> },
  lease: Lease,
  { now, origin }: { now: () => Date; origin: Origin },
): Promise<void> {
  await setMissingChangedAt(models);
  const { rest } = lease;
  if (rest.length === 0) return;
  const { companies, jobs } = await movedRecords(models, rest);
  const history = collectionOf(models.history);
  const step = [{ at: now(), origin, changes: [] }];
  const steps = <R extends Versioned>(records: readonly R[]) =>
    records.map((record) => ({ record, steps: step }));
  await new VersionedRecords('company', models.companies, history).writeMany(steps(companies));
  await new VersionedRecords('job', models.jobs, history).writeMany(steps(jobs));
  await completeMoves(models, rest);
  await lease.begin([]);
}

/** Sets `changedAt` of records that a killed process inserted. */
export async function setMissingChangedAt(
  models: RecordModels & { media: Model<MediaRecord> },
): Promise<void> {
  // The indexes begin with the media.
  const inMedia = { media: { $in: await allMediaIn(models.media) } };
  await setChangedAt(models.companies.collection, { 'memberships.media': inMedia.media });
  const collections = collectionsOf(models);
  // Without the hint, the database tries most indexes of jobs before it reads.
  const { hint } = planList(jobLists, { reach: inMedia, filter: {} }, 'updated_at_desc');
  for await (const page of placedJobs(collections, { ...inMedia, ...lacksChangedAt }, hint))
    await copyReach(collections, page, { setsChangedAt: true });
}

/**
 * Brings what follows from moved records up to date, in batches (Contract 4.6.6): what jobs store of their companies, and the departures
 * of records from media. Jobs of moved companies get a new `changedAt`, because followers may have seen them as gone. Safe to repeat.
 */
export async function completeMoves(models: Moved, moves: readonly Move[]): Promise<void> {
  if (moves.length === 0) return;
  const records = collectionsOf(models);
  const { companies, jobs, mediaOf } = await movedRecords(models, moves);
  const allMedia = await allMediaIn(models.media);
  for (const { publicId } of companies) {
    const moved = mediaOf('company', publicId);
    await copyReachOf(records, { media: moved, company: [publicId] }, { setsChangedAt: true });
    const others = allMedia.filter((media) => !moved.includes(media));
    await copyReachOf(records, { media: others, company: [publicId] });
  }
  await copyReach(records, jobs, { setsChangedAt: true });
  const brands = new Map(companies.map(({ publicId, brand }) => [publicId, brand]));
  const employers = await models.companies
    .find({ publicId: { $in: jobs.map(({ company }) => company) } }, { publicId: 1, brand: 1 })
    .lean();
  for (const { publicId, brand } of employers) brands.set(publicId, brand);
  const leaving = (kind: VersionedKind, record: CompanyRecord | JobRecord, company: string): Leaving[] => {
    const { publicId, version, createdBy } = record;
    return mediaOf(kind, publicId).map((media) => ({
      _id: departureId(kind, publicId, media),
      ...{ kind, publicId, version, createdBy, media, company, brand: brands.get(company) ?? null },
    }));
  };
  await depart(models, [
    ...companies.flatMap((company) => leaving('company', company, company.publicId)),
    ...jobs.flatMap((job) => leaving('job', job, job.company)),
  ]);
}

async function movedRecords({ companies, jobs }: RecordModels, moves: readonly Move[]) {
  const named = (kind: VersionedKind) => ({
    publicId: { $in: moves.filter((move) => move.kind === kind).map(({ publicId }) => publicId) },
  });
  const common = { publicId: 1, version: 1, createdBy: 1 } as const;
  const media = new Map(moves.map((move) => [`${move.kind} ${move.publicId}`, move.media]));
  return {
    companies: await companies.find(named('company'), { ...common, brand: 1 }).lean<CompanyRecord[]>(),
    jobs: await jobs.find(named('job'), { ...common, media: 1, company: 1 }).lean<JobRecord[]>(),
    mediaOf: (kind: VersionedKind, publicId: string) => media.get(`${kind} ${publicId}`) ?? [],
  };
}

/** Writes the departures of records that are elsewhere, and removes those of records that are in the media. */
async function depart(models: Moved, leaving: readonly Leaving[]): Promise<void> {
  const records = collectionsOf(models);
  const { collection } = models.departures;
  for (const media of new Set(leaving.map((each) => each.media))) {
    const ofMedia = leaving.filter((each) => each.media === media);
    const present = await presentRecords(records, media, ofMedia);
    const gone = ofMedia.filter(({ _id }) => !present.has(_id));
    const known = await insertWithChangedAt(collection, gone as never);
    const updates = known.flatMap((index) => {
      const { _id, ...move } = gone[index] as Leaving;
      const filter = { _id, version: { $lt: move.version } };
      return { updateOne: { filter, update: { $set: move, $currentDate: { changedAt: true as const } } } };
    });
    if (updates.length > 0) await collection.bulkWrite(updates as never, { ordered: false, ...boundedWrite });
    // An import that was paused here may find the record moved back meanwhile. A later departure has a higher version.
    for (const [_id, version] of await presentRecords(records, media, gone)) present.set(_id, version);
    const outdated = [...present].map(([_id, version]) => ({
      deleteOne: { filter: { _id, version: { $lt: version } } },
    }));
    if (outdated.length > 0) await collection.bulkWrite(outdated as never, { ordered: false });
  }
}
