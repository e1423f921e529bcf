import { type Model } from 'mongoose';
import { type CompanyRecord, membershipIn } from '../company/company.model.js';
import { projectionOf } from '../content/shown-fields.js';
import { boundedWrite } from '../database/bounded-write.js';
import { eachOf, inPages } from '../database/in-pages.js';
import { type Versioned } from '../history/history-entry.js';
import { type JobRecord } from '../job/job.model.js';
import { type Departure, departureId } from './departure.model.js';

/** Records whose moves are not yet in the changes. */
const unsettled = {
  filter: { unsettledMedia: { $gt: '' } },
  projection: projectionOf([
    '_id',
    'publicId',
    'version',
    'createdBy',
    'brand',
    'memberships',
    'media',
    'company',
    'unsettledMedia',
  ]),
};

/**
 * Adds an import's moves to the changes of each media (Contract 4.6.6): each company or job that left the media, and each job of a
 * company that left, came back or has another brand. Safe to repeat after a crash: a record keeps its `unsettledMedia` until everything
 * is written.
 */
export async function settleDepartures({
  companies,
  jobs,
  departures,
}: {
  companies: Model<CompanyRecord>;
  jobs: Model<JobRecord>;
  departures: Model<Departure>;
}): Promise<void> {
  const depart = (
    { publicId, version, createdBy }: Versioned & { createdBy: string },
    where: Pick<Departure, 'media' | 'kind' | 'company' | 'brand'>,
  ) =>
    departures.updateOne(
      { _id: departureId(where.kind, publicId, where.media) },
      { $set: { publicId, version, createdBy, ...where }, $currentDate: { changedAt: true } },
      { upsert: true, ...boundedWrite },
    );

  for await (const company of eachOf<CompanyRecord>(companies, unsettled)) {
    const { _id, publicId, version, brand, unsettledMedia = [] } = company;
    for (const media of unsettledMedia) {
      if (!membershipIn(company, media))
        await depart(company, { media, kind: 'company', company: publicId, brand });
      await stampJobs(jobs, { media, company: publicId });
    }
    await companies.updateOne({ _id, version }, { $unset: { unsettledMedia: 1 } });
  }
  for await (const job of eachOf<JobRecord>(jobs, unsettled)) {
    const { _id, version, company, unsettledMedia = [] } = job;
    const { brand = null } = (await companies.findOne({ publicId: company }, { brand: 1 }).lean()) ?? {};
    for (const media of unsettledMedia)
      if (media !== job.media) await depart(job, { media, kind: 'job', company, brand });
    await jobs.updateOne({ _id, version }, { $unset: { unsettledMedia: 1 } });
  }
}

async function stampJobs(jobs: Model<JobRecord>, of: { media: string; company: string }): Promise<void> {
  const wanted = { filter: of, projection: { publicId: 1 }, key: 'publicId' };
  for await (const page of inPages<JobRecord>(jobs, wanted))
    await jobs.updateMany(
      { _id: { $in: page.map(({ _id }) => _id) } },
      { $currentDate: { changedAt: true } },
      boundedWrite,
    );
}
