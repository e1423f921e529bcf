import { type Model } from 'mongoose';
import { type CompanyRecord, membershipIn } from '../company/company.model.js';
import { boundedWrite } from '../database/bounded-write.js';
import { type Versioned } from '../history/history-entry.js';
import { type JobRecord } from '../job/job.model.js';
import { type Departure } from './departure.model.js';

/** The most jobs that one write stamps. */
const batchSize = 1_000;

/** Records that have moved, and whose followers must still be told. */
const unsettled = { unsettledMedia: { $gt: '' } };

/**
 * Has the changes of a media tell what an import has moved (Contract 4.6.6): a company or a job that left it, and each job of a
 * company that left it, came back or has another brand. Repeated after a crash, it completes what was begun: a record names the
 * media until all is told.
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
      { _id: `${where.kind} ${publicId} ${where.media}` },
      { $set: { publicId, version, createdBy, ...where }, $currentDate: { changedAt: true } },
      { upsert: true, ...boundedWrite },
    );

  for (const company of await companies.find(unsettled).lean<CompanyRecord[]>()) {
    const { _id, publicId, version, brand, unsettledMedia = [] } = company;
    for (const media of unsettledMedia) {
      if (!membershipIn(company, media))
        await depart(company, { media, kind: 'company', company: publicId, brand });
      await stampJobs(jobs, { media, company: publicId });
    }
    await companies.updateOne({ _id, version }, { $unset: { unsettledMedia: 1 } });
  }
  for (const job of await jobs.find(unsettled).lean<JobRecord[]>()) {
    const { _id, version, company, unsettledMedia = [] } = job;
    const { brand = null } = (await companies.findOne({ publicId: company }, { brand: 1 }).lean()) ?? {};
    for (const media of unsettledMedia)
      if (media !== job.media) await depart(job, { media, kind: 'job', company, brand });
    await jobs.updateOne({ _id, version }, { $unset: { unsettledMedia: 1 } });
  }
}

async function stampJobs(jobs: Model<JobRecord>, of: { media: string; company: string }): Promise<void> {
  let last = '';
  for (;;) {
    const batch = await jobs
      .find({ ...of, publicId: { $gt: last } }, { publicId: 1 })
      .sort({ publicId: 1 })
      .limit(batchSize)
      .lean();
    last = batch.at(-1)?.publicId ?? last;
    await jobs.updateMany(
      { _id: { $in: batch.map(({ _id }) => _id) } },
      { $currentDate: { changedAt: true } },
      boundedWrite,
    );
    if (batch.length < batchSize) return;
  }
}
