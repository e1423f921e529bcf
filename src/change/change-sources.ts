import { type CountDocumentsOptions, type Document } from 'mongodb';
import { type Collection } from 'mongoose';
import { type Caller } from '../tokens/caller.js';
import { reachIn, reachQuery } from '../permissions/reach.rules.js';
import { companySchema } from '../company/company.mongoose.js';
import { type CompanyRecord } from '../company/company.record.js';
import { companyLists } from '../company/company.mongoose.js';
import { type ListSort } from '../paging/page.js';
import { allOf, projectionOf } from '../paging/query.rules.js';
import { recordValidator, type ReportDamaged } from '../database/validate-record.js';
import { hasChangedAt } from '../database/insert-absent.js';
import { type ListIndex, planList } from '../database/list-plan.js';
import { type Searchable } from '../database/slow-query.js';
import { type VersionedKind } from '../history/history.record.js';
import { jobsIn } from '../job/job-list.rules.js';
import { type Collections } from '../job/stored-reach.js';
import { type JobState, jobStates } from '../job/job-choices.rules.js';
import { jobSchema } from '../job/job.mongoose.js';
import { type JobRecord } from '../job/job.record.js';
import { jobLists } from '../job/job.mongoose.js';
import { endPaths, stateAt } from '../job/job-end.rules.js';
import { type Feed, type SourceName, sources } from './change-cursor.rules.js';
import { type Departure, departureSchema } from './departure.record.js';

export interface Change {
  kind: VersionedKind;
  publicId: string;
  companyPublicId: string;
  version: number;
  changedAt: Date;
  state: ChangeState;
}
export type ChangeState = JobState | 'present' | 'gone';

interface ListedCollection extends Searchable {
  countDocuments(query: Document, options: CountDocumentsOptions): Promise<number>;
}

/** A list of changes, ordered by instant and key. */
export interface ChangeSource {
  collection: ListedCollection;
  match: Document;
  /** Of the shown fields; absent for all fields. */
  projection?: Document;
  /** Of the index to read; absent where only one serves. */
  hint?: Document;
  /** When the change happened. */
  at: 'changedAt' | 'expiresAt';
  key: 'publicId' | '_id';
  show: (read: readonly never[]) => SourceEntry[];
}

interface SourceEntry {
  record: { [path in ChangeSource['at'] | ChangeSource['key']]?: unknown };
  /** Null if the record is damaged. */
  change: Change | null;
}

export interface SourceDependencies extends Collections {
  departures: Collection<Departure>;
  onDamaged: ReportDamaged;
}

const companyPaths = ['publicId', 'version', 'changedAt'] as const;
const isValidCompany = recordValidator('company', companySchema, companyPaths);
const isValidDeparture = recordValidator('departure', departureSchema);
const jobPaths = [
  ...['media', 'company', 'publicId', 'version', 'changedAt', ...endPaths],
  'isCompanyInMedia',
] as const;
const isValidJob = recordValidator('job', jobSchema, jobPaths);

/** The lists of a media's changes that the caller reaches, in the order of `sources`. */
export function sourcesOf(
  dependencies: SourceDependencies,
  caller: Caller,
  { media, now }: Feed,
  kinds: readonly VersionedKind[],
): (readonly [SourceName, ChangeSource])[] {
  const { companies, jobs, departures, onDamaged } = dependencies;
  const own = reachQuery(reachIn(caller, media));
  const written = { at: 'changedAt', key: 'publicId' } as const;
  const showJobs = (read: readonly JobRecord[], isEnd: boolean): SourceEntry[] =>
    read.map((record) => {
      const { publicId, company: companyPublicId, version } = record;
      if (!isValidJob(record, publicId, onDamaged)) return { record, change: null };
      const change: Change = {
        kind: 'job',
        publicId,
        companyPublicId,
        version,
        changedAt: isEnd ? record.expiresAt! : record.changedAt,
        state: record.isCompanyInMedia ? stateAt(record, now) : 'gone',
      };
      return { record, change };
    });
  const hintOf = (lists: readonly ListIndex[], match: Document, order: ListSort = 'updated_at_desc') =>
    planList(lists, { reach: match, filter: {} }, order).hint;
  // Includes jobs of companies that have left the media, which show as gone.
  const reached = jobsIn(caller, media);
  const ofJobs = allOf(reached, { state: { $in: jobStates } });
  const published = allOf(reached, { state: 'published', isCompanyInMedia: { $in: [true, false] } });
  const ofCompanies = allOf({ 'memberships.media': media }, own);
  const listed = { ...written, collection: jobs, projection: projectionOf(jobPaths) };
  const all: Record<SourceName, ChangeSource | false> = {
    company: kinds.includes('company') && {
      ...written,
      collection: companies,
      match: ofCompanies,
      ...hintOf(companyLists, ofCompanies),
      projection: projectionOf(companyPaths),
      show: (read: readonly CompanyRecord[]) =>
        read.map((record) => {
          const { publicId, version, changedAt } = record;
          if (!isValidCompany(record, publicId, onDamaged)) return { record, change: null };
          const named = { kind: 'company', publicId, companyPublicId: publicId } as const;
          return { record, change: { ...named, version, changedAt, state: 'present' } };
        }),
    },
    departure: {
      ...written,
      key: '_id',
      collection: departures,
      match: allOf({ media, kind: { $in: kinds } }, own),
      show: (read: readonly Departure[]) =>
        read.map((record) => {
          const { kind, publicId, company, version, changedAt } = record;
          if (!isValidDeparture(record, publicId, onDamaged)) return { record, change: null };
          const named = { kind, publicId, companyPublicId: company };
          return { record, change: { ...named, version, changedAt, state: 'gone' } };
        }),
    },
    end: kinds.includes('job') && {
      ...listed,
      at: 'expiresAt',
      match: allOf(published, hasChangedAt),
      ...hintOf(jobLists, published, 'expires_at_asc'),
      show: (read) => showJobs(read, true),
    },
    job: kinds.includes('job') && {
      ...listed,
      match: ofJobs,
      ...hintOf(jobLists, ofJobs),
      show: (read: readonly JobRecord[]) => showJobs(read, false),
    },
  };
  return sources.flatMap((name) => (all[name] ? [[name, all[name]] as const] : []));
}
