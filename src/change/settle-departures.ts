import { type Model } from 'mongoose';
import { type CompanyRecord } from '../company/company.model.js';
import { projectionOf } from '../paging/query.rules.js';
import { boundedWrite } from '../database/bounded-write.js';
import { collectionOf } from '../database/collection-of.js';
import { inPages } from '../database/in-pages.js';
import { insertStamped } from '../database/insert-absent.js';
import { type Origin, type Versioned } from '../history/history-entry.js';
import { type StoredEntry, type VersionedKind } from '../history/history.model.js';
import { VersionedRecords } from '../history/versioned-records.js';
import { allMediaIn, type MediaRecord } from '../media/media.model.js';
import { type JobRecord } from '../job/job.model.js';
import { collectionsOf, copyReach, copyReachOf, type RecordModels } from '../job/stored-reach.js';
import { type Departure, departureId, presentRecords } from './departure.model.js';

interface Settled extends RecordModels {
  media: Model<MediaRecord>;
  departures: Model<Departure>;
}

/** A departure, before the database dates it. */
type Move = Omit<Departure, 'changedAt'>;

/** Records whose moves are not yet in the changes. */
const unsettled = (...paths: readonly string[]) => ({
  filter: { unsettledMedia: { $gt: '' } },
  projection: projectionOf(['_id', 'publicId', 'version', 'createdBy', 'unsettledMedia'], paths),
});

/**
 * Gives back to jobs what a killed import has taken from them before it could write their companies. The import may also still run, so
 * the companies get a new version without a change: its write then fails, and it begins again.
 */
export async function resumeReach(
  models: Settled & { history: Model<StoredEntry> },
  { now, origin }: { now: () => Date; origin: Origin },
): Promise<void> {
  const records = collectionsOf(models);
  const media = await allMediaIn(models.media);
  const versioned = new VersionedRecords('company', models.companies, collectionOf(models.history));
  for await (const page of inPages<CompanyRecord>(models.companies, unsettled('narrowedVersion'))) {
    for (const company of page)
      if (company.narrowedVersion === company.version)
        await versioned.write(company, [{ at: now(), origin, changes: [] }]);
    await copyReachOf(records, { media, company: page.map(({ publicId }) => publicId) });
  }
}

/**
 * Adds an import's moves to the changes of each media (Contract 4.6.6): each company or job that left the media, and each job of a
 * company that left, came back or has another brand. Safe to repeat after a crash, and beside other imports: a record keeps its
 * `unsettledMedia` until everything is written.
 */
export async function settleDepartures(models: Settled): Promise<void> {
  const { companies, jobs } = models;
  const records = collectionsOf(models);
  const allMedia = await allMediaIn(models.media);
  for await (const page of inPages<CompanyRecord>(companies, unsettled('brand'))) {
    const moves = page.flatMap((company) =>
      movesOf('company', company, { company: company.publicId, brand: company.brand }),
    );
    await settle(moves, models);
    for (const { publicId, unsettledMedia = [] } of page) {
      const company = [publicId];
      await copyReachOf(records, { media: unsettledMedia, company }, { isStamping: true });
      // While an import was changing the company, others may have taken reach from its jobs elsewhere. If it was killed, this gives it back.
      const others = allMedia.filter((media) => !unsettledMedia.includes(media));
      await copyReachOf(records, { media: others, company });
    }
    await markSettled(companies, page);
  }
  for await (const page of inPages<JobRecord>(jobs, unsettled('media', 'company', 'isCompanyInMedia'))) {
    const $in = page.map(({ company }) => company);
    const employers = await companies.find({ publicId: { $in } }, { publicId: 1, brand: 1 }).lean();
    const brands = new Map(employers.map(({ publicId, brand }) => [publicId, brand]));
    const moves = page.flatMap((job) =>
      movesOf('job', job, { company: job.company, brand: brands.get(job.company) ?? null }),
    );
    await settle(moves, models);
    // An import that was killed has not copied it, and followers may have seen the job as gone.
    const unreached = page.filter(({ isCompanyInMedia }) => !isCompanyInMedia);
    await copyReach(records, unreached, { isStamping: true });
    await markSettled(jobs, page);
  }
}

const movesOf = (
  kind: VersionedKind,
  { publicId, version, createdBy, unsettledMedia = [] }: Versioned & { createdBy: string },
  employer: Pick<Departure, 'company' | 'brand'>,
): Move[] =>
  [...new Set(unsettledMedia)].map((media) => ({
    _id: departureId(kind, publicId, media),
    ...{ kind, publicId, version, createdBy, media, ...employer },
  }));

/** Writes the departures of records that are still elsewhere, and removes those of records that are back. */
async function settle(moves: readonly Move[], models: Settled): Promise<void> {
  const records = collectionsOf(models);
  const { departures } = models;
  for (const media of new Set(moves.map((move) => move.media))) {
    const ofMedia = moves.filter((move) => move.media === media);
    const present = await presentRecords(records, media, ofMedia);
    const gone = ofMedia.filter(({ _id }) => !present.has(_id));
    await depart(departures, gone);
    // Another import may have moved a record back before its departure was written. A later departure has a higher version.
    for (const [_id, version] of await presentRecords(records, media, gone)) present.set(_id, version);
    const outdated = [...present].map(([_id, version]) => ({ _id, version: { $lt: version } }));
    if (outdated.length > 0)
      await departures.bulkWrite(
        outdated.map((filter) => ({ deleteOne: { filter } })),
        { ordered: false },
      );
  }
}

async function depart({ collection }: Model<Departure>, gone: readonly Move[]): Promise<void> {
  const known = await insertStamped(collection, gone as never);
  const updates = known.flatMap((index) => {
    const { _id, ...move } = gone[index] as Move;
    const filter = { _id, version: { $lt: move.version } };
    return { updateOne: { filter, update: { $set: move, $currentDate: { changedAt: true as const } } } };
  });
  if (updates.length > 0) await collection.bulkWrite(updates as never, { ordered: false, ...boundedWrite });
}

/** A record that another import has changed or marked since keeps its mark: that import settles it, or the next. */
async function markSettled(
  { collection }: Pick<Model<Versioned>, 'collection'>,
  records: readonly Versioned[],
): Promise<void> {
  await collection.bulkWrite(
    records.map(({ publicId, version, unsettledMedia }) => ({
      updateOne: { filter: { publicId, version, unsettledMedia }, update: { $unset: { unsettledMedia: 1 } } },
    })),
    { ordered: false },
  );
}
