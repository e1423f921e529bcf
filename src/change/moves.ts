import { type Model } from 'mongoose';
import { type CompanyRecord } from '../company/company.record.js';
import { eachOf, inPages } from '../database/in-pages.js';
import { boundedWrite, placesRefused } from '../database/insert-records.js';
import { type StoredEntry, type VersionedKind } from '../history/history.record.js';
import { syncDueIndex } from '../history/history.mongoose.js';
import { retryLostRace } from '../database/retry-lost-race.js';
import { type IdempotencyRecord } from '../idempotency/idempotency.record.js';
import { type JobRecord, nowhere, reachPaths } from '../job/job.record.js';
import {
  collectionsOf,
  narrowReach,
  type ReachChange,
  readReach,
  type RecordModels,
  syncJobsOf,
  upTo,
} from '../job/stored-reach.js';
import { allMediaIn, type MediaRecord } from '../media/media.record.js';
import { allOf, projectionOf, type Query } from '../paging/query.rules.js';
import { type Tombstone, tombstoneId } from './tombstone.record.js';
import { LeaseLostError } from './records-lease.js';

/** Where a move or a removal leaves traces. */
export interface Moved extends RecordModels {
  media: Model<MediaRecord>;
  tombstones: Model<Tombstone>;
  history: Model<StoredEntry>;
  idempotency: Model<IdempotencyRecord>;
}

/** The mark that the write of a moving record sets: the next import or the hourly task completes a marked move. */
export const dueIn = (media: readonly string[]) => ({ isSyncDue: true, syncMedia: media });

const isRemoved = ({ media }: JobRecord): boolean => media === nowhere;

const due = { isSyncDue: true } as const;
const undue = { isSyncDue: '', syncMedia: '' } as const;
const ofDue = { filter: due, hint: syncDueIndex.key, key: 'publicId' } as const;

/**
 * Marks companies whose reach changes, before the first of their jobs changes, and hides jobs where the new reach is smaller. The caller
 * then writes the companies, still marked, and calls `completeMoves`.
 * @throws LeaseLostError if another import has begun to move one of the companies
 */
export async function beginMoves(
  models: Moved,
  changes: readonly (ReachChange & { syncMedia: readonly string[] })[],
): Promise<void> {
  if (changes.length === 0) return;
  const { companies, jobs } = collectionsOf(models);
  const marks = changes.map(({ company: { publicId, reachVersion: known = null }, ...change }) => ({
    updateOne: {
      filter: { publicId, reachVersion: known },
      update: { $set: { ...dueIn(change.syncMedia), reachVersion: change.reachVersion } },
    },
  }));
  const { matchedCount } = await companies.bulkWrite(marks as never, { ordered: false, ...boundedWrite });
  // Only another holder of the lease changes `reachVersion`.
  if (matchedCount < changes.length) throw new LeaseLostError();
  await narrowReach(jobs, changes, await allMediaIn(models.media));
}

/**
 * Writes what follows from each marked record: what jobs store of their companies, and where followers find that a record has left a media.
 * Then removes the mark. Safe to repeat. A writer that was paused meanwhile changes nothing when it goes on.
 */
export async function completeMoves(models: Moved): Promise<void> {
  // A record that a caller updates meanwhile is still marked for the next pass.
  await retryLostRace(async () => ((await completeDue(models)) === 0 ? true : null));
}

/** @returns how many marked records it found */
async function completeDue(models: Moved): Promise<number> {
  let found = 0;
  const collections = collectionsOf(models);
  const { companies, jobs } = collections;
  const media = await allMediaIn(models.media);
  const projection = projectionOf([...reachPaths, 'publicId', 'createdBy', 'syncMedia']);
  const dueIds = { ...ofDue, projection: projectionOf(['publicId']) };
  for await (const { publicId } of eachOf<CompanyRecord>({ collection: companies }, dueIds)) {
    found += 1;
    // From here on, a paused writer that marked the company has an older copy.
    const raised = { $inc: { reachVersion: 1 } };
    const company = await companies.findOneAndUpdate(allOf({ publicId }, due), raised, {
      ...{ projection, returnDocument: 'after' },
    });
    if (!company) continue;
    const { version, reachVersion, memberships, syncMedia = [] } = company;
    const present = memberships.map(({ media }) => media);
    await tell(models, standingsOf('company', company, { present, company }));
    await syncJobsOf(collections, publicId, { media, told: syncMedia });
    const asRead: Query = { publicId, version, reachVersion };
    await companies.updateOne(asRead, { $unset: undue });
  }
  const jobPaths = ['_id', 'publicId', 'version', 'media', 'company', 'createdBy', 'syncMedia'];
  const marked = { ...ofDue, projection: projectionOf(jobPaths) };
  for await (const page of inPages<JobRecord>({ collection: jobs }, marked)) {
    found += page.length;
    const reachIn = await readReach(collections, page);
    const standings = page.flatMap((job) =>
      standingsOf('job', job, {
        present: isRemoved(job) ? [] : [job.media],
        company: { publicId: job.company, brand: reachIn(job).reach.brand },
      }),
    );
    await tell(models, standings);
    await eraseRemoved(models, page.filter(isRemoved));
    const shown = page.flatMap((job) => {
      const { reach, isMoving } = reachIn(job);
      if (isRemoved(job) || isMoving) return [];
      const filter = { publicId: job.publicId, version: job.version, ...upTo(reach.companyVersion) };
      return {
        updateOne: { filter, update: { $set: reach, $unset: undue, $currentDate: { changedAt: true } } },
      };
    });
    if (shown.length > 0) await jobs.bulkWrite(shown as never, { ordered: false, ...boundedWrite });
  }
  return found;
}

/** The records come last: if the process dies before, their mark lets the next run repeat this. */
async function eraseRemoved(
  { jobs, history, idempotency }: Moved,
  removed: readonly JobRecord[],
): Promise<void> {
  if (removed.length === 0) return;
  const publicIds = { $in: removed.map(({ publicId }) => publicId) };
  await history.collection.deleteMany({ record: { $in: removed.map(({ _id }) => _id) } });
  // No index finds them: they are the keyed calls of a day.
  await idempotency.collection.deleteMany({ 'payload.job.publicId': publicIds });
  await jobs.collection.deleteMany({ publicId: publicIds, media: nowhere });
}

/** Where a moved record stands in each media that it left, stays in or came to. */
function standingsOf(
  kind: VersionedKind,
  { publicId, version, createdBy, syncMedia = [] }: CompanyRecord | JobRecord,
  { present, company }: { present: readonly string[]; company: Pick<CompanyRecord, 'publicId' | 'brand'> },
): Omit<Tombstone, 'changedAt'>[] {
  return [...new Set([...syncMedia, ...present])].map((media) => ({
    _id: tombstoneId(kind, publicId, media),
    ...{ kind, publicId, version, createdBy, media, company: company.publicId, brand: company.brand ?? null },
    isBack: present.includes(media),
  }));
}

/** Forgets that jobs with these public ids were removed from their media: the ids live again. */
export async function welcome(
  { tombstones }: Pick<Moved, 'tombstones'>,
  jobs: readonly Pick<JobRecord, 'publicId' | 'media'>[],
): Promise<void> {
  const ids = jobs.map(({ publicId, media }) => tombstoneId('job', publicId, media));
  if (ids.length > 0) await tombstones.collection.deleteMany({ _id: { $in: ids } } as never);
}

/** The standing of a newer version stays. */
async function tell(
  { tombstones }: Moved,
  standings: readonly Omit<Tombstone, 'changedAt'>[],
): Promise<void> {
  const writes = standings.map(({ _id, ...standing }) => ({
    updateOne: {
      filter: { _id, version: { $lt: standing.version } },
      update: { $set: standing, $currentDate: { changedAt: true } },
      upsert: true,
    },
  }));
  if (writes.length === 0) return;
  // Where a newer one stands, the upsert finds none that it may change, and its insert is refused.
  await placesRefused(tombstones.collection.bulkWrite(writes as never, { ordered: false, ...boundedWrite }));
}
