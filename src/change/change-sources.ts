import { type Document } from 'mongodb';
import { type Collection } from 'mongoose';
import { type Caller } from '../access/caller.js';
import { reachIn, reachQuery } from '../access/reach.rules.js';
import { type CompanyRecord, companySchema } from '../company/company.model.js';
import { allOf } from '../content/all-of.rules.js';
import { decode } from '../content/answer-budget.js';
import { projectionOf } from '../content/shown-fields.js';
import { soundness } from '../database/damage.js';
import { isStamped } from '../database/insert-absent.js';
import { type VersionedKind } from '../history/history.model.js';
import { jobsWithinReach } from '../job/job-reach.js';
import { employerOf, type ReadJob, soundJobs, withEmployer } from '../job/job-with-employer.js';
import { type JobState } from '../job/job-choices.rules.js';
import { type JobRecord } from '../job/job.model.js';
import { endPaths, type JobEnds, stateAt } from '../job/job-end.rules.js';
import { type ReportDamaged } from '../content/report-damaged.js';
import { type Feed, type SourceName, sources } from './change-cursor.rules.js';
import { type Departure, departureSchema } from './departure.model.js';

export interface Change {
  kind: VersionedKind;
  publicId: string;
  companyPublicId: string;
  version: number;
  changedAt: Date | null;
  state: ChangeState;
}
export type ChangeState = JobState | 'present' | 'gone';

/** A list of changes, ordered by instant and key. */
export interface Source {
  collection: Pick<Collection<never>, 'aggregate' | 'countDocuments'>;
  match: Document;
  /** The pipeline stages that read the shown fields. */
  stages: readonly Document[];
  /** When the change happened. */
  at: 'changedAt' | 'expiresAt';
  /** Whether the list can have records without an instant, which version 1.0.0 wrote last. */
  isOlder: boolean;
  key: 'publicId' | '_id';
  show: (bytes: Uint8Array) => Shown;
}

interface Shown {
  record: { [path in Source['at'] | Source['key']]?: unknown };
  /** Null if the record is damaged. */
  change: Change | null;
}

export interface SourceDependencies {
  companies: Collection<CompanyRecord>;
  jobs: Collection<JobRecord>;
  departures: Collection<Departure>;
  ends: JobEnds;
  /** JOB_LIFETIME, only for the cursors. */
  lifetimeMs: number;
  onDamaged: ReportDamaged;
}

const companyPaths = ['publicId', 'version', 'changedAt'] as const;
const isSoundCompany = soundness('company', companySchema, companyPaths);
const isSoundDeparture = soundness('departure', departureSchema);
const jobPaths = ['media', 'company', 'publicId', 'version', 'changedAt', ...endPaths] as const;
const isSoundJob = soundJobs({ job: jobPaths, company: ['memberships.media'] });

/** The lists of a media's changes that the caller reaches, in the order of `sources`. */
export async function sourcesOf(
  dependencies: SourceDependencies,
  caller: Caller,
  { media, now }: Feed,
  kinds: readonly VersionedKind[],
): Promise<(readonly [SourceName, Source])[]> {
  const { companies, jobs, departures, ends, onDamaged } = dependencies;
  const reach = reachIn(caller, media);
  const own = reachQuery(reach);
  const written = {
    at: 'changedAt',
    isOlder: true,
    key: 'publicId',
  } as const;
  const showJob = (bytes: Uint8Array, isEnd: boolean): Shown => {
    const read = decode<ReadJob>(bytes);
    const { job: record } = read;
    if (!isSoundJob(record, read.employers[0], onDamaged)) return { record, change: null };
    const { publicId, company: companyPublicId, version, expiresAt = null, changedAt = null } = record;
    const change: Change = {
      kind: 'job',
      publicId,
      companyPublicId,
      version,
      // At its stored end, a job that version 1.x has published again is listed as published.
      changedAt: isEnd ? expiresAt : changedAt,
      state: employerOf(read) ? stateAt(ends.complete(record), now) : 'gone',
    };
    return { record, change };
  };
  const job: Source = {
    ...written,
    collection: jobs,
    // Includes jobs of companies that have left the media, which show as gone.
    match: allOf({ media }, await jobsWithinReach(companies, reach)),
    stages: withEmployer(companies, projectionOf(jobPaths)),
    show: (bytes) => showJob(bytes, false),
  };
  const all: Record<SourceName, Source | false> = {
    company: kinds.includes('company') && {
      ...written,
      collection: companies,
      match: allOf({ 'memberships.media': media }, own),
      stages: [{ $project: projectionOf(companyPaths) }],
      show: (bytes) => {
        const record = decode<CompanyRecord>(bytes);
        const { publicId, version, changedAt = null } = record;
        if (!isSoundCompany(record, publicId, onDamaged)) return { record, change: null };
        const named = { kind: 'company', publicId, companyPublicId: publicId } as const;
        return { record, change: { ...named, version, changedAt, state: 'present' } };
      },
    },
    departure: {
      ...written,
      isOlder: false,
      key: '_id',
      collection: departures,
      match: allOf({ media, kind: { $in: kinds } }, own),
      stages: [],
      show: (bytes) => {
        const record = decode<Departure>(bytes);
        const { kind, publicId, company, version, changedAt } = record;
        if (!isSoundDeparture(record, publicId, onDamaged)) return { record, change: null };
        const named = { kind, publicId, companyPublicId: company };
        return { record, change: { ...named, version, changedAt, state: 'gone' } };
      },
    },
    end: kinds.includes('job') && {
      ...job,
      at: 'expiresAt',
      isOlder: false,
      match: allOf(job.match, { state: 'published' }, isStamped),
      show: (bytes) => showJob(bytes, true),
    },
    job: kinds.includes('job') && job,
  };
  return sources.flatMap((name) => (all[name] ? [[name, all[name]] as const] : []));
}
