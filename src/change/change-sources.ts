import { type CountDocumentsOptions, type Document } from 'mongodb';
import { type Collection } from 'mongoose';
import { type Caller } from '../tokens/caller.js';
import { reachIn, reachQueries, reachQuery } from '../permissions/reach.rules.js';
import { companyListKey, companySchema } from '../company/company.mongoose.js';
import { type CompanyRecord } from '../company/company.record.js';
import { allOf, projectionOf } from '../paging/query.rules.js';
import { ReadableRecords } from '../database/readable-records.js';
import { type Searchable } from '../database/with-time-limit.js';
import { type VersionedKind } from '../history/history.record.js';
import { anyJobIn, type Collections } from '../job/stored-reach.js';
import { type JobState } from '../job/job-choices.rules.js';
import { jobListKey, jobSchema } from '../job/job.mongoose.js';
import { type JobRecord } from '../job/job.record.js';
import { expiryPaths, stateAt } from '../job/job-expiry.rules.js';
import { type Feed, type SourceName, sources } from './change-cursor.rules.js';
import { type Tombstone, tombstoneSchema, tombstonesOfMedia as ofMedia } from './tombstone.record.js';

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

/** A list of changes, ordered by `changedAt` and key. */
export interface ChangeSource {
  collection: ListedCollection;
  /** For each role of the caller: what it reaches, and the index to read. */
  roles: readonly { match: Document; hint: Record<string, 1> }[];
  /** The shown fields; absent for all fields. */
  projection?: Document;
  key: 'publicId' | '_id';
  readable: ReadableRecords;
  show: (record: never) => Change;
}

export interface SourceDependencies extends Collections {
  tombstones: Collection<Tombstone>;
}

const companyPaths = ['publicId', 'version', 'changedAt'] as const;
const readableCompanies = new ReadableRecords(companySchema, companyPaths);
const readableTombstones = new ReadableRecords(tombstoneSchema);
const jobPaths = [
  ...['media', 'company', 'publicId', 'version', 'changedAt', ...expiryPaths],
  'isCompanyInMedia',
] as const;
const readableJobs = new ReadableRecords(jobSchema, jobPaths);

/** The lists of a media's changes that the caller reaches, in the order of `sources`. */
export function sourcesOf(
  dependencies: SourceDependencies,
  caller: Caller,
  { media, now }: Feed,
  kinds: readonly VersionedKind[],
): (readonly [SourceName, ChangeSource])[] {
  const { companies, jobs, tombstones } = dependencies;
  const own = reachQueries(reachIn(caller, media));
  const ownerOf = (reach: Document) =>
    'createdBy' in reach ? 'createdBy' : 'brand' in reach ? 'brand' : 'media';
  const all: Record<SourceName, ChangeSource | false> = {
    company: kinds.includes('company') && {
      collection: companies,
      roles: own.map((reach) => ({
        match: allOf({ 'memberships.media': media }, reach),
        hint: companyListKey(ownerOf(reach), 'updated_at_desc'),
      })),
      projection: projectionOf(companyPaths),
      key: 'publicId',
      readable: readableCompanies,
      show({ publicId, version, changedAt }: CompanyRecord) {
        const named = { kind: 'company', publicId, companyPublicId: publicId } as const;
        return { ...named, version, changedAt, state: 'present' };
      },
    },
    departure: {
      collection: tombstones,
      roles: [
        {
          match: allOf(
            { media, kind: { $in: kinds }, isBack: { $ne: true } },
            reachQuery(reachIn(caller, media)),
          ),
          hint: ofMedia,
        },
      ],
      key: '_id',
      readable: readableTombstones,
      show: ({ kind, publicId, company, version, changedAt }: Tombstone) => ({
        ...{ kind, publicId, companyPublicId: company, version, changedAt, state: 'gone' },
      }),
    },
    job: kinds.includes('job') && {
      collection: jobs,
      roles: own.map((reach) => ({
        match: allOf(anyJobIn(media), reach),
        hint: jobListKey(ownerOf(reach), 'updated_at_desc'),
      })),
      projection: projectionOf(jobPaths),
      key: 'publicId',
      readable: readableJobs,
      show(record: JobRecord) {
        const { publicId, company: companyPublicId, version, changedAt } = record;
        const state = record.isCompanyInMedia ? stateAt(record, now) : 'gone';
        return { kind: 'job', publicId, companyPublicId, version, changedAt, state };
      },
    },
  };
  return sources.flatMap((name) => (all[name] ? [[name, all[name]] as const] : []));
}
