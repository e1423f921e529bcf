import { type Document } from 'mongodb';
import { type Collection } from 'mongoose';
import { type Caller } from '../access/caller.js';
import { reachIn, reachQuery } from '../access/reach.rules.js';
import { type CompanyRecord } from '../company/company.model.js';
import { asBytes, decode } from '../content/answer-budget.js';
import { encodeCursor, type Page, pageOf, type PageRequest } from '../content/page.js';
import { type VersionedKind } from '../history/history.model.js';
import { jobsWithinReach } from '../job/job-reach.js';
import { employerOf, type ReadJob, withEmployer } from '../job/job-with-employer.js';
import { type JobState } from '../job/job-choices.rules.js';
import { type JobRecord } from '../job/job.model.js';
import { expiryOf, stateAt } from '../job/job.rules.js';
import {
  beginning,
  cursorOf,
  type Feed,
  type Position,
  positionOf,
  type SourceName,
  sources,
} from './change-cursor.rules.js';
import { type Departure } from './departure.model.js';

/** The list ends so long before now: a write that the database has begun to make at an instant is seen by then. */
const settlingMs = 5_000;

/** A record as it stands now, where it last changed. */
export interface Change {
  kind: VersionedKind;
  publicId: string;
  companyPublicId: string;
  version: number;
  changedAt: Date | null;
  state: ChangeState;
}
export type ChangeState = JobState | 'present' | 'gone';

/** One of the lists that make up the changes of a media, in the order of an instant and a key. */
interface Source {
  name: SourceName;
  /** The paths of both. */
  at: string;
  key: string;
  /** How long after the stored instant the change comes, in milliseconds. */
  laterMs: number;
  /** Whether 1.0.0 may have written records of it without an instant. */
  isOlder: boolean;
  match: Document;
  read: (match: Document, sort: Record<string, 1>, limit: number) => Promise<Uint8Array[]>;
  show: (bytes: Uint8Array) => { change: Change; key: string };
  count: (match: Document, limit: number) => Promise<number>;
}

interface Found {
  change: Change;
  position: Position;
  bytes: number;
}

const jobPaths = { media: 1, company: 1, publicId: 1, version: 1, state: 1, publishedAt: 1, changedAt: 1 };

/** Tells what has changed in a media, for whoever keeps a copy of its records (Contract 4.6). */
export class ChangeService {
  constructor(
    private readonly dependencies: {
      /** The present instant by the clock that sets when a record changed. */
      now: () => Promise<Date>;
      companies: Collection<CompanyRecord>;
      jobs: Collection<JobRecord>;
      departures: Collection<Departure>;
      lifetimeMs: number;
      /** For how long the database may work on a list. */
      queryTimeoutMs: number;
    },
  ) {}

  /**
   * A page of the records of a media within the caller's reach, in the order in which they last changed. Whoever goes on after
   * its last cursor gets each record that has changed since, once at least.
   * @throws DomainError validation-failed for a cursor that is no longer valid
   */
  async page(
    caller: Caller,
    { media, kinds }: { media: string; kinds: readonly VersionedKind[] },
    request: PageRequest,
  ): Promise<Page<Change>> {
    const feed = { media, lifetimeMs: this.dependencies.lifetimeMs, now: await this.dependencies.now() };
    const position = request.after === null ? beginning : positionOf(request.after, feed);
    const lists = await this.sourcesFor(caller, feed, kinds);
    const until = new Date(feed.now.getTime() - settlingMs);
    const reading = request.budget.enqueue(async () => {
      const found = await Promise.all(
        lists.map((source) => readAfter(source, position, until, request.first + 1)),
      );
      // Each list is in order already, and of one instant those of an earlier source come first.
      const all = found
        .flat()
        .sort((one, other) => Number(one.position.at ?? -1) - Number(other.position.at ?? -1));
      const fitting = all
        .slice(0, request.first)
        .filter(({ bytes }) => request.budget.left > 0 && request.budget.take(bytes));
      const page = pageOf(
        fitting,
        request,
        ({ position: last }) => cursorOf(feed, last),
        all.length > fitting.length,
      );
      const { pageInfo, edges } = page;
      // An empty page renews the cursor that it began after.
      const endCursor =
        pageInfo.endCursor ?? (request.after === null ? null : encodeCursor(cursorOf(feed, position)));
      return {
        edges: edges.map(({ cursor, node }) => ({ cursor, node: node.change })),
        pageInfo: { ...pageInfo, endCursor },
      };
    });
    return request.counted(reading, async (limit) => {
      const counts = lists.map(({ at, laterMs, match, count }) => {
        const end = { $lte: before(until, laterMs) };
        return count({ ...match, $or: [{ [at]: end }, { [at]: null }] }, limit);
      });
      return (await Promise.all(counts)).reduce((sum, each) => sum + each, 0);
    });
  }

  private async sourcesFor(
    caller: Caller,
    { media, lifetimeMs, now }: Feed,
    kinds: readonly VersionedKind[],
  ): Promise<Source[]> {
    const { companies, jobs, departures, queryTimeoutMs: maxTimeMS } = this.dependencies;
    const options = { ...asBytes, maxTimeMS };
    const reach = reachIn(caller, media);
    const own = reachQuery(reach);
    const ofJobs: Pick<Source, 'key' | 'match' | 'read' | 'count'> = {
      key: 'publicId',
      // Also jobs of companies that have left the media: these are gone.
      match: { media, ...(await jobsWithinReach(companies, reach)) },
      read: (match, sort, limit) =>
        jobs
          .aggregate<Uint8Array>(
            [{ $match: match }, { $sort: sort }, { $limit: limit }, ...withEmployer(companies, jobPaths)],
            { ...options, batchSize: limit + 1 },
          )
          .toArray(),
      count: (match, limit) => jobs.countDocuments(match, { limit, maxTimeMS }),
    };
    const showJob = (bytes: Uint8Array, isEnd: boolean) => {
      const read = decode<ReadJob>(bytes);
      const { publicId, company, version, publishedAt, changedAt = null } = read.job;
      const state = employerOf(read) ? stateAt(read.job, now, lifetimeMs) : 'gone';
      const at = isEnd && publishedAt ? expiryOf({ publishedAt }, lifetimeMs) : changedAt;
      const change: Change = {
        kind: 'job',
        publicId,
        companyPublicId: company,
        version,
        changedAt: at,
        state,
      };
      return { change, key: publicId };
    };
    const all: Record<SourceName, Omit<Source, 'name'>> = {
      company: {
        at: 'changedAt',
        key: 'publicId',
        laterMs: 0,
        isOlder: true,
        match: { 'memberships.media': media, ...own },
        read: (match, sort, limit) =>
          companies
            .find<Uint8Array>(match, {
              ...options,
              projection: { publicId: 1, version: 1, changedAt: 1 },
              sort,
              limit,
            })
            .toArray(),
        show: (bytes) => {
          const { publicId, version, changedAt = null } = decode<CompanyRecord>(bytes);
          const change: Change = {
            kind: 'company',
            publicId,
            companyPublicId: publicId,
            version,
            changedAt,
            state: 'present',
          };
          return { change, key: publicId };
        },
        count: (match, limit) => companies.countDocuments(match, { limit, maxTimeMS }),
      },
      departure: {
        at: 'changedAt',
        key: '_id',
        laterMs: 0,
        isOlder: false,
        match: { media, kind: { $in: kinds }, ...own },
        read: (match, sort, limit) =>
          departures.find<Uint8Array>(match, { ...options, sort, limit }).toArray(),
        show: (bytes) => {
          const { _id, kind, publicId, company, version, changedAt } = decode<Departure>(bytes);
          const change: Change = {
            kind,
            publicId,
            companyPublicId: company,
            version,
            changedAt,
            state: 'gone',
          };
          return { change, key: _id };
        },
        count: (match, limit) => departures.countDocuments(match, { limit, maxTimeMS }),
      },
      end: {
        ...ofJobs,
        at: 'publishedAt',
        laterMs: lifetimeMs,
        isOlder: false,
        match: { ...ofJobs.match, state: 'published' },
        show: (bytes) => showJob(bytes, true),
      },
      job: { ...ofJobs, at: 'changedAt', laterMs: 0, isOlder: true, show: (bytes) => showJob(bytes, false) },
    };
    const kindOf = { company: 'company', departure: undefined, end: 'job', job: 'job' } as const;
    return sources
      .filter((name) => kindOf[name] === undefined || kinds.includes(kindOf[name]))
      .map((name) => ({ name, ...all[name] }));
  }
}

const before = (instant: Date, ms: number): Date => new Date(instant.getTime() - ms);

/** What comes after the position and not after the instant: what shares the instant of the position, then what is later. */
async function readAfter(
  { name, at, key, laterMs, isOlder, match, read, show }: Source,
  position: Position,
  until: Date,
  limit: number,
): Promise<Found[]> {
  const rank = sources.indexOf(name) - sources.indexOf(position.source);
  const since = position.at && before(position.at, laterMs);
  const sort = { [at]: 1, [key]: 1 } as const;
  const found: Uint8Array[] = [];
  // Of an instant, an earlier source has told all, and a later one nothing.
  if (rank === 0 || (rank > 0 && since === null && isOlder))
    found.push(
      ...(await read({ ...match, [at]: since, [key]: { $gt: rank === 0 ? position.key : '' } }, sort, limit)),
    );
  if (found.length < limit) {
    const later = { ...(since && { [rank > 0 ? '$gte' : '$gt']: since }), $lte: before(until, laterMs) };
    found.push(...(await read({ ...match, [at]: later }, sort, limit - found.length)));
  }
  return found.map((bytes) => {
    const { change, key: own } = show(bytes);
    return { change, position: { at: change.changedAt, source: name, key: own }, bytes: bytes.length };
  });
}
