import { type Document } from 'mongodb';
import { type Collection } from 'mongoose';
import { type Caller } from '../access/caller.js';
import { reachIn, reachQuery } from '../access/reach.rules.js';
import { type CompanyRecord } from '../company/company.model.js';
import { allOf } from '../content/all-of.rules.js';
import { asBytes, decode } from '../content/answer-budget.js';
import { projectionOf } from '../content/shown-fields.js';
import { encodeCursor, type Page, pageOf, type PageRequest } from '../content/page.js';
import { isStamped } from '../database/insert-absent.js';
import { type VersionedKind } from '../history/history.model.js';
import { jobsWithinReach } from '../job/job-reach.js';
import { employerOf, type ReadJob, withEmployer } from '../job/job-with-employer.js';
import { type JobState } from '../job/job-choices.rules.js';
import { type JobRecord } from '../job/job.model.js';
import { endPaths, type JobEnds, stateAt } from '../job/job-end.rules.js';
import {
  beginning,
  cursorOf,
  type Feed,
  type Position,
  positionOf,
  type SourceName,
  sources,
} from './change-cursor.rules.js';
import { type Departure, departureId } from './departure.model.js';

/** The list ends this long before now. A write takes less time, so no change appears behind a cursor. */
const settlingMs = 5_000;

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
interface Source {
  collection: Pick<Collection<never>, 'aggregate' | 'countDocuments'>;
  match: Document;
  /** The pipeline stages that read the shown fields. */
  stages: readonly Document[];
  /** When the change happened. */
  at: 'changedAt' | 'expiresAt';
  /** Whether the list can have records without an instant, which version 1.0.0 wrote last. */
  isOlder: boolean;
  key: 'publicId' | '_id';
  keyOf: (change: Change) => string;
  show: (bytes: Uint8Array) => Change;
}

interface Found {
  change: Change;
  position: Position;
  bytes: number;
}

const jobPaths = projectionOf(['media', 'company', 'publicId', 'version', 'changedAt'], endPaths);

/** Lists the changes in a media (Contract 4.6). */
export class ChangeService {
  constructor(
    private readonly dependencies: {
      /** By the database's clock, which also sets `changedAt`. */
      now: () => Promise<Date>;
      companies: Collection<CompanyRecord>;
      jobs: Collection<JobRecord>;
      departures: Collection<Departure>;
      ends: JobEnds;
      /** JOB_LIFETIME, only for the cursors. */
      lifetimeMs: number;
      queryTimeoutMs: number;
    },
  ) {}

  /**
   * A caller that continues after the last cursor gets each record that has changed since, at least once.
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
        lists.map((list) => this.readAfter(list, position, until, request.first + 1)),
      );
      // The sort is stable: at the same instant, an earlier source comes first.
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
      // An empty page renews the caller's cursor.
      const endCursor =
        pageInfo.endCursor ?? (request.after === null ? null : encodeCursor(cursorOf(feed, position)));
      return {
        edges: edges.map(({ cursor, node }) => ({ cursor, node: node.change })),
        pageInfo: { ...pageInfo, endCursor },
      };
    });
    return request.counted(reading, async (limit) => {
      const options = { limit, maxTimeMS: this.dependencies.queryTimeoutMs };
      const counts = lists.map(([, { collection, at, isOlder, match }]) => {
        const isPast = { [at]: { $lte: until } };
        const isListed = isOlder ? { $or: [isPast, { [at]: null }] } : isPast;
        return collection.countDocuments(allOf(match, isListed), options);
      });
      return (await Promise.all(counts)).reduce((sum, each) => sum + each, 0);
    });
  }

  private async sourcesFor(
    caller: Caller,
    { media, now }: Feed,
    kinds: readonly VersionedKind[],
  ): Promise<(readonly [SourceName, Source])[]> {
    const { companies, jobs, departures, ends } = this.dependencies;
    const reach = reachIn(caller, media);
    const own = reachQuery(reach);
    const written = {
      at: 'changedAt',
      isOlder: true,
      key: 'publicId',
      keyOf: ({ publicId }: Change) => publicId,
    } as const;
    const showJob = (bytes: Uint8Array, isEnd: boolean): Change => {
      const read = decode<ReadJob>(bytes);
      const { publicId, company: companyPublicId, version, expiresAt = null, changedAt = null } = read.job;
      return {
        kind: 'job',
        publicId,
        companyPublicId,
        version,
        // At its stored end, a job that version 1.x has published again is listed as published.
        changedAt: isEnd ? expiresAt : changedAt,
        state: employerOf(read) ? stateAt(ends.complete(read.job), now) : 'gone',
      };
    };
    const job: Source = {
      ...written,
      collection: jobs,
      // Includes jobs of companies that have left the media, which show as gone.
      match: allOf({ media }, await jobsWithinReach(companies, reach)),
      stages: withEmployer(companies, jobPaths),
      show: (bytes) => showJob(bytes, false),
    };
    const all: Record<SourceName, Source | false> = {
      company: kinds.includes('company') && {
        ...written,
        collection: companies,
        match: allOf({ 'memberships.media': media }, own),
        stages: [{ $project: { publicId: 1, version: 1, changedAt: 1 } }],
        show: (bytes) => {
          const { publicId, version, changedAt = null } = decode<CompanyRecord>(bytes);
          return {
            kind: 'company',
            publicId,
            companyPublicId: publicId,
            version,
            changedAt,
            state: 'present',
          };
        },
      },
      departure: {
        ...written,
        isOlder: false,
        key: '_id',
        keyOf: ({ kind, publicId }) => departureId(kind, publicId, media),
        collection: departures,
        match: allOf({ media, kind: { $in: kinds } }, own),
        stages: [],
        show: (bytes) => {
          const { kind, publicId, company, version, changedAt } = decode<Departure>(bytes);
          return { kind, publicId, companyPublicId: company, version, changedAt, state: 'gone' };
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

  private async readAfter(
    [name, { collection, match, stages, at, isOlder, key, keyOf, show }]: readonly [SourceName, Source],
    position: Position,
    until: Date,
    most: number,
  ): Promise<Found[]> {
    const rank = sources.indexOf(name) - sources.indexOf(position.source);
    const since = position.at;
    const found: Uint8Array[] = [];
    const read = async (conditions: Document) => {
      const limit = most - found.length;
      if (limit === 0) return;
      const chosen = [
        { $match: allOf(match, conditions) },
        { $sort: { [at]: 1, [key]: 1 } },
        { $limit: limit },
      ];
      // Larger than `$limit`, so that the driver needs no second command.
      const options = { ...asBytes, maxTimeMS: this.dependencies.queryTimeoutMs, batchSize: limit + 1 };
      found.push(...(await collection.aggregate<Uint8Array>([...chosen, ...stages], options).toArray()));
    };
    // Changes of the same time are listed source by source, in the order of `sources`. At the time of the position, the sources before
    // its own are finished, and the sources after it have not begun.
    if (rank === 0 || (rank > 0 && since === null && isOlder))
      await read({ [at]: since, [key]: { $gt: rank === 0 ? position.key : '' } });
    await read(allOf(since && { [at]: { [rank > 0 ? '$gte' : '$gt']: since } }, { [at]: { $lte: until } }));
    return found.map((bytes) => {
      const change = show(bytes);
      return {
        change,
        position: { at: change.changedAt, source: name, key: keyOf(change) },
        bytes: bytes.length,
      };
    });
  }
}
