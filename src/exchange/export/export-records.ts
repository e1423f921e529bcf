import { buffer } from 'node:stream/consumers';
import { blankCompany, type CompanyRecord } from '../../company/company.record.js';
import { type LogoStore } from '../../company/logo/logo-store.js';
import { allInOneBatch } from '../../database/all-in-one-batch.js';
import { eachOf, inPages } from '../../database/in-pages.js';
import { recordReader } from '../../database/record-reader.js';
import { type Models } from '../../models.js';
import { type HistoryEntry } from '../../history/history-entry.js';
import { type StoredEntry, type VersionedKind } from '../../history/history.record.js';
import { withoutHistory } from '../../history/versioned-records.js';
import { blankJob, type JobRecord, nowhere } from '../../job/job.record.js';
import { dueQuery } from '../../job/job-expiry.rules.js';
import { type MediaRecord } from '../../media/media.record.js';
import { allOf } from '../../paging/query.rules.js';
import { ReferenceSnapshot, type ReferenceRecord } from '../../fields/reference-snapshot.js';
import { type RecordKind } from '../line-format.js';
import { writtenCompany, writtenJob, writtenMedia, writtenReference } from './written-records.js';

interface ExportOptions {
  models: Models;
  logos: LogoStore;
  kinds: readonly RecordKind[];
  /** Public ids. Export only companies and jobs of these media; undefined: of all media. */
  media: readonly string[] | undefined;
  /**
   * Export only records changed since the `--since` cursor. Undefined: no cursor, so also export companies that left the media but still
   * have jobs there.
   */
  since: Date | undefined;
  withHistory: boolean;
  now: Date;
  /** Called for each lost logo file, with a sentence for the operator. */
  onLost: (sentence: string) => void;
}

const { complete: wholeCompany } = recordReader<CompanyRecord>(blankCompany, withoutHistory);
const { complete: wholeJob } = recordReader<JobRecord>(blankJob, withoutHistory);

/** How many times to look for a logo file before reporting the logo as lost. */
const mostAttempts = 5;

/** Yields lines by kind, then by public id; the history comes last. Each record appears once, because public ids never change. */
export async function* exportRecords(options: ExportOptions): AsyncGenerator<object> {
  const { models, kinds, withHistory } = options;
  const references = await models.references.find().sort({ publicId: 1, kind: 1 }).lean<ReferenceRecord[]>();
  const snapshot = new ReferenceSnapshot(references);
  const companies = await companiesOf(options);
  const writers: Record<RecordKind, () => AsyncIterable<object> | Iterable<object>> = {
    media: () => mediaLines(options, companies),
    reference: () => references.map(writtenReference),
    company: () => companyLines(options, companies, snapshot),
    job: () => jobLines(options, snapshot),
  };
  for (const kind of kinds) yield* writers[kind]();
  if (!withHistory) return;
  if (kinds.includes('company')) yield* historyLines(models, 'company', companies);
  if (kinds.includes('job')) yield* historyLines(models, 'job', jobsOf(options));
}

function jobsOf({ media, since, now }: ExportOptions): object {
  const endedSince = (from: Date) => allOf(dueQuery(now), { expiresAt: { $gte: from } });
  return allOf(
    { media: media ? { $in: media } : { $ne: nowhere } },
    since && { $or: [{ changedAt: { $gte: since } }, endedSince(since)] },
  );
}

/** Includes companies that left the media but still have jobs there, because an import of a job needs its company. */
async function companiesOf(options: ExportOptions): Promise<object> {
  const { models, media, since } = options;
  if (!media) return {};
  const members = allOf({ 'memberships.media': { $in: media } }, since && { changedAt: { $gte: since } });
  if (since) return members;
  const others = new Set<string>();
  // An index covers these fields, so no job document is read.
  const projection = { _id: 0, publicId: 1, company: 1 };
  const jobs = eachOf<JobRecord>(models.jobs, byPublicId(jobsOf(options), projection));
  for await (const { company } of jobs) others.add(company);
  const found = eachOf<CompanyRecord>(models.companies, byPublicId(members, { publicId: 1 }));
  for await (const { publicId } of found) others.delete(publicId);
  return { $or: [members, { publicId: { $in: [...others] } }] };
}

/** Adds all other media of the companies: an import of a company needs all its media. */
async function* mediaLines({ models, media }: ExportOptions, companies: object) {
  const wanted = media && new Set(media);
  const members = byPublicId(companies, { publicId: 1, memberships: 1 });
  if (wanted)
    for await (const { memberships } of eachOf<CompanyRecord>(models.companies, members))
      for (const membership of memberships) wanted.add(membership.media);
  const filter = wanted ? { publicId: { $in: [...wanted] } } : {};
  for await (const found of eachOf<MediaRecord>(models.media, byPublicId(filter))) yield writtenMedia(found);
}

async function* companyLines(options: ExportOptions, companies: object, snapshot: ReferenceSnapshot) {
  const found = eachOf<CompanyRecord>(options.models.companies, byPublicId(companies, withoutHistory));
  for await (const company of found) yield companyLine(wholeCompany(company), options, snapshot);
}

/** Reads the company again if its logo file is missing: the logo may have been replaced after the first read. */
async function companyLine(
  found: CompanyRecord,
  { models, logos, onLost }: ExportOptions,
  snapshot: ReferenceSnapshot,
): Promise<object> {
  let company = found;
  for (let attempt = 1; attempt <= mostAttempts; attempt += 1) {
    if (company.logo?.kind !== 'file') return writtenCompany(company, snapshot, null);
    const { hash: sha256 } = company.logo;
    const file = await logos.open(sha256);
    if (file) {
      const base64 = (await buffer(file.stream)).toString('base64');
      return writtenCompany(company, snapshot, { sha256, base64 });
    }
    const query = models.companies.findOne({ publicId: found.publicId }, withoutHistory);
    company = wholeCompany(await query.orFail().lean<CompanyRecord>());
  }
  onLost(`The logo of the company ${found.publicId} is lost: upload it again.`);
  return writtenCompany(company, snapshot, null);
}

async function* jobLines(options: ExportOptions, snapshot: ReferenceSnapshot) {
  const { models, now } = options;
  for await (const jobs of inPages<JobRecord>(models.jobs, byPublicId(jobsOf(options), withoutHistory))) {
    const publicIds = new Set(jobs.flatMap(({ company, office }) => (office ? [company] : [])));
    const companies = await models.companies
      .find({ publicId: { $in: [...publicIds] } }, { publicId: 1, offices: 1 })
      .lean<Pick<CompanyRecord, 'publicId' | 'offices'>[]>();
    const offices = new Map(companies.map((company) => [company.publicId, company.offices]));
    const officeOf = ({ company, office }: JobRecord) =>
      offices.get(company)?.find(({ _id }) => office && _id.equals(office))?.publicId ?? null;
    for (const job of jobs) yield writtenJob(wholeJob(job), officeOf(job), snapshot, now);
  }
}

async function* historyLines({ companies, jobs, history }: Models, kind: VersionedKind, filter: object) {
  const wanted = byPublicId(filter, { publicId: 1, pendingHistory: 1 });
  for await (const page of inPages<ExportedRecord>(kind === 'job' ? jobs : companies, wanted)) {
    const withMoved = await history.aggregate<Pick<ExportedRecord, '_id'>>(
      [{ $match: { record: { $in: page.map(({ _id }) => _id) } } }, { $group: { _id: '$record' } }],
      allInOneBatch,
    );
    const isMoved = new Set(withMoved.map(({ _id }) => String(_id)));
    for (const { _id, publicId, pendingHistory = [] } of page) {
      // An entry that moved to the history after the record was read is in both lists.
      let last = 0;
      const moved = { filter: { record: _id }, key: 'version' };
      if (isMoved.has(String(_id)))
        for await (const entry of eachOf<StoredEntry>(history, moved)) {
          yield writtenEntry(kind, publicId, entry);
          last = entry.version;
        }
      for (const entry of pendingHistory) if (entry.version > last) yield writtenEntry(kind, publicId, entry);
    }
  }
}

const writtenEntry = (
  record: VersionedKind,
  publicId: string,
  { version, at, actor, transport, requestId, changes }: HistoryEntry,
) => {
  const origin = { actor, transport, request_id: requestId };
  return { kind: 'history', record, public_id: publicId, version, at, ...origin, changes };
};

type ExportedRecord = Pick<CompanyRecord, '_id' | 'publicId'> & { pendingHistory?: HistoryEntry[] };

const byPublicId = (filter: object, projection: object = {}) => ({ filter, projection, key: 'publicId' });
