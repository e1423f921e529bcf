import { type Collection } from 'mongoose';
import { blankCompany, type CompanyRecord } from '../company/company.record.js';
import { retryLostRace } from '../database/retry-lost-race.js';
import { boundedWrite, insertPending, pendingChangedAt } from '../database/insert-records.js';
import { withHint } from '../database/indexes.js';
import { recordReader } from '../database/record-reader.js';
import { conflicting, DomainError, unavailable } from '../errors/domain-error.js';
import { requiredFaults } from '../errors/field-fault.js';
import { referencesIn, trimTexts } from '../fields/fields.rules.js';
import { type Warning } from '../fields/warning.js';
import { assertFaultless, type MutationControl, withoutHistory } from '../history/versioned-records.js';
import { isMade, type KeyedCall, madeCall } from '../idempotency/keyed-call.js';
import { allOf, projectionOf } from '../paging/query.rules.js';
import { membershipIn, notFound, reachIn, reachQuery } from '../permissions/reach.rules.js';
import { type ReferenceReader } from '../fields/reference-snapshot.js';
import { type Caller } from '../tokens/caller.js';
import { type JobPaths } from './job-with-company.js';
import { createdJob, creationIdentifiers, readNewJob } from './job-creation.rules.js';
import { type JobSettings } from './job-expiry.rules.js';
import { type JobCreateInput, newJobFields } from './job-fields.rules.js';
import {
  emptyJob,
  type Employer,
  type JobOfCompany,
  type JobRecord,
  reachOf,
  reachPaths,
} from './job.record.js';
import { jobListKey } from './job.mongoose.js';
import { newPublicId } from './new-public-id.js';
import { upTo } from './stored-reach.js';
import { type ResolveLocation } from './location/location.js';

type Creation = Omit<MutationControl, 'expectedVersions'>;

const none: ReadonlySet<string> = new Set();

/** How often a made id may be taken by another job. Six characters make two billion ids for each name. */
const mostAttempts = 10;

export class JobCreationService {
  constructor(
    private readonly dependencies: {
      jobs: Collection<JobRecord>;
      companies: Collection<CompanyRecord>;
      references: ReferenceReader;
      resolveLocation: ResolveLocation;
      clock: () => Date;
      settings: JobSettings;
      /** Whether a job with this public id was removed within the last 31 days: followers of changes might not know yet. */
      isRemoved: (publicId: string) => Promise<boolean>;
    },
  ) {}

  /**
   * Creates a job, with checks in the documented order. A repeated keyed call returns the job that its first run made.
   * @param paths the paths that the reply needs
   * @throws DomainError validation-failed, company-not-found, unauthorized-limitation, company-not-published, job-already-existed,
   *   idempotency-key-reuse, service-unavailable
   */
  async create(
    caller: Caller,
    untrimmed: JobCreateInput,
    control: Creation,
    paths: JobPaths = {},
  ): Promise<JobOfCompany & { warnings: Warning[] }> {
    const { references, resolveLocation, clock, settings } = this.dependencies;
    const input = trimTexts(untrimmed);
    assertFaultless(requiredFaults(input, creationIdentifiers, control.parseFaults));
    const { mediaPublicId: media, companyPublicId } = input;
    const findCompany = await this.companyFinder(caller, input, paths);
    const [company, snapshot] = await Promise.all([
      findCompany(),
      references.read(referencesIn(newJobFields, input)),
    ]);
    if (!company) throw notFound(caller, media, 'company-not-found');
    const ids = idsOf(input, control.call);
    const made = control.call && (await this.findMade(ids, control.call));
    if (made) return { job: await this.release(made, caller, findCompany), company, warnings: [] };
    const refusal = refusalOf(company, caller, media);
    if (refusal) throw refusal;

    const now = clock();
    const identity = { publicId: ids[0]!, media, company: companyPublicId, createdBy: caller.subject };
    const record = emptyJob(identity, now);
    const { patch, faults, warnings } = readNewJob(input, {
      record,
      snapshot,
      resolveLocation,
      now,
      settings,
      parseFaults: control.parseFaults,
    });
    assertFaultless(faults);
    const job = createdJob(record, patch, { at: now, ...control.origin });
    if (control.isDryRun) {
      if (input.jobPublicId != null && (await this.isTaken(input.jobPublicId))) throw alreadyExisted();
      return { job, company, warnings };
    }
    // Counts read an index that lacks `changedAt`: they would count the job before it is shown, and for a brand that the company has left.
    const unlisted = { ...reachOf(company, media), isCompanyInMedia: false };
    const inserted = await this.insert(ids, { ...job, ...unlisted }, control.call);
    return { job: await this.release(inserted, caller, findCompany), company, warnings };
  }

  /**
   * Returns a function that reads the company if the caller may create a job for it. The job of its own that lets a media_partner in is
   * looked for first, whether or not the company exists, so that the time of a reply does not tell.
   */
  private async companyFinder(caller: Caller, input: JobCreateInput, { company: paths = none }: JobPaths) {
    const { jobs, companies } = this.dependencies;
    const { mediaPublicId: media, companyPublicId: publicId } = input;
    const reach = reachIn(caller, media);
    const isPartner = reach.some(({ createdBy }) => createdBy !== undefined);
    const own = { media, isCompanyInMedia: true, createdBy: caller.subject, company: publicId };
    // Without the hint, the database could read the company's jobs, which takes longer if there are many.
    const options = { projection: { _id: 0, company: 1 }, hint: jobListKey('createdBy', 'public_id') };
    const hasOwnJob =
      isPartner && (await withHint(jobs, options, (hinted) => jobs.findOne<object>(own, hinted)));
    const within = allOf({ publicId, 'memberships.media': media }, hasOwnJob ? {} : reachQuery(reach));
    const { projection, complete } = recordReader<Employer>(
      blankCompany,
      projectionOf(
        decisivePaths,
        [...paths].filter((path) => path !== 'office'),
      ),
    );
    return async () => {
      const found = await companies.findOne<Employer>(within, { projection });
      return found && complete(found);
    };
  }

  /** The job that an earlier run of the call made. @throws DomainError idempotency-key-reuse */
  private async findMade(ids: readonly string[], call: KeyedCall): Promise<JobRecord | null> {
    const named = { publicId: { $in: ids }, 'creationCall.key': call.digest.key };
    const found = await this.dependencies.jobs.findOne(named, { projection: withoutHistory });
    return found?.creationCall && isMade({ keyedCalls: [found.creationCall] }, call) ? found : null;
  }

  /** Inserts the job, which no list shows yet, under the first id that is free. */
  private async insert(
    ids: readonly string[],
    job: JobRecord,
    call: KeyedCall | undefined,
  ): Promise<JobRecord> {
    const creationCall = call && madeCall(call, job.version);
    for (const publicId of ids) {
      if (await this.dependencies.isRemoved(publicId)) {
        // The id is made from the call: an earlier run made a job that has been removed.
        if (call) throw alreadyExisted();
        continue;
      }
      const record = { ...job, publicId, changedAt: pendingChangedAt, ...(creationCall && { creationCall }) };
      const refused = await insertPending(this.dependencies.jobs, [record]);
      if (refused.length === 0) return record;
      // A run that lost its key to this run may have been first.
      const made = call && (await this.findMade([publicId], call));
      if (made) return made;
    }
    throw alreadyExisted();
  }

  /**
   * Shows an inserted job to lists and followers, if the company still lets the caller create it; otherwise removes the job. If the
   * process dies before, the hourly task decides alike.
   */
  private async release(job: JobRecord, caller: Caller, findCompany: () => Promise<Employer | null>) {
    if (!isPending(job)) return job;
    const { jobs } = this.dependencies;
    const { publicId, media } = job;
    const pending = { publicId, changedAt: pendingChangedAt };
    return retryLostRace(async () => {
      const company = await findCompany();
      const refusal = refusalOf(company, caller, media);
      if (refusal) {
        await jobs.deleteOne(pending, boundedWrite);
        throw refusal;
      }
      const reach = reachOf(company!, media);
      const released = { $set: reach, $currentDate: { changedAt: true } } as const;
      const unlessNewer = { ...pending, ...upTo(reach.companyVersion) };
      const { matchedCount } = await jobs.updateOne(unlessNewer, released, boundedWrite);
      if (matchedCount > 0) return job;
      const left = await jobs.findOne({ publicId }, { projection: { _id: 0, changedAt: 1 } });
      if (!left) throw unavailable(new Error('the hourly task has removed the job'));
      return isPending(left) ? null : job;
    });
  }

  private async isTaken(publicId: string): Promise<boolean> {
    const { jobs, isRemoved } = this.dependencies;
    return (
      (await jobs.findOne({ publicId }, { projection: { _id: 1 } })) !== null || (await isRemoved(publicId))
    );
  }
}

/** Whether no list shows the job yet. */
const isPending = ({ changedAt }: Pick<JobRecord, 'changedAt'>): boolean =>
  changedAt.getTime() === pendingChangedAt.getTime();

/** The paths of a company that decide who sees its jobs, and whether it can have new ones. */
const decisivePaths = ['publicId', 'createdBy', ...reachPaths, 'isSyncDue'] as const;

/** Why the company takes no job of this caller now. */
function refusalOf(company: Employer | null, caller: Caller, media: string): DomainError | undefined {
  if (!company) return notFound(caller, media, 'company-not-found');
  if (!membershipIn(company, media)?.isPublished) return new DomainError('company-not-published');
  return company.isSyncDue && unavailable(new Error('an import is moving the company'));
}

const alreadyExisted = () => conflicting('job-already-existed', ['jobPublicId']);

/** The ids that the job may get, the first that is free. */
function idsOf({ jobPublicId, name }: JobCreateInput, call: KeyedCall | undefined): string[] {
  if (typeof jobPublicId === 'string') return [jobPublicId];
  const text = typeof name === 'string' ? name : '';
  return Array.from({ length: mostAttempts }, (_, attempt) => newPublicId(text, call?.digest.key, attempt));
}
