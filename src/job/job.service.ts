import { type Collection } from 'mongoose';
import { memoize } from '../memoize.js';
import { type ReferenceReader } from '../fields/reference-snapshot.js';
import { type Caller } from '../tokens/caller.js';
import { coversMedia, membershipIn, notFound, reachesRecord } from '../permissions/reach.rules.js';
import { type CompanyRecord } from '../company/company.record.js';
import { type ReplyBudget, asBytes } from '../paging/reply-budget.js';
import { writtenPaths, pathsOf, referencesIn, trimTexts } from '../fields/fields.rules.js';
import { allOf, leavingOut, projectionOf } from '../paging/query.rules.js';
import { type Warning } from '../fields/warning.js';
import { DomainError, outOfReach } from '../errors/domain-error.js';
import { requiredFaults } from '../errors/field-fault.js';
import {
  assertFaultless,
  historyProjection,
  type MutationControl,
  type VersionCheck,
  type VersionedRecords,
} from '../history/versioned-records.js';
import { recordAfter } from '../history/version-write.rules.js';
import { isMade } from '../idempotency/keyed-call.js';
import { jobFields, type JobUpdateInput } from './job-fields.rules.js';
import {
  type JobPaths,
  jobsAnywhere,
  jobsIn,
  jobWithCompany,
  type JobWithCompanyQuery,
} from './job-with-company.js';
import { type JobOfCompany, type JobRecord } from './job.record.js';
import { type JobSettings } from './job-expiry.rules.js';
import { readJobUpdate } from './job-update.rules.js';
import { jobSteps, moveFault } from './job.rules.js';
import { type ResolveLocation } from './location/location.js';
import { retryLostRace } from '../database/retry-lost-race.js';

/** Checked before all other fields. */
const identifiers = ['mediaPublicId', 'companyPublicId', 'jobPublicId'] as const;

/** The paths that every read needs. */
const placePaths = ['media', 'company', 'createdBy'] satisfies (keyof JobRecord)[];

/** Long values: an update reads them only if it changes or returns them. */
const longPaths = ['questions', ...pathsOf(jobFields, 'isLong')];

export class JobService {
  constructor(
    private readonly dependencies: {
      jobs: Collection<JobRecord>;
      companies: Collection<CompanyRecord>;
      versioned: VersionedRecords<JobRecord>;
      history: VersionCheck;
      references: ReferenceReader;
      resolveLocation: ResolveLocation;
      clock: () => Date;
      settings: JobSettings;
    },
  ) {}

  private readonly readingOne = memoize(({ job = new Set(), company = new Set() }: JobPaths) =>
    jobWithCompany(this.dependencies.companies, projectionOf(job, placePaths), ['brand', ...company]),
  );

  /**
   * An absent job and a job out of reach give the same error, because the media of an absent job is unknown.
   * @throws DomainError unauthorized-limitation, payload-too-large
   */
  async get(
    caller: Caller,
    publicId: string,
    { paths, budget }: { paths: JobPaths; budget: ReplyBudget },
  ): Promise<JobOfCompany> {
    const reached = allOf({ publicId }, jobsAnywhere(caller));
    const { bytes, ...found } = await this.findReached(caller, reached, this.readingOne(paths));
    budget.spend(bytes);
    return found;
  }

  /**
   * Updates a job, with checks in the documented order. One write stores every change.
   * @param paths the paths that the reply needs
   * @throws DomainError validation-failed, company-not-found, job-not-found, unauthorized-limitation, version-conflict,
   *   company-not-published, state-transition-not-allowed, service-unavailable
   */
  async update(
    caller: Caller,
    untrimmed: JobUpdateInput,
    control: MutationControl,
    paths: JobPaths = {},
  ): Promise<JobOfCompany & { warnings: Warning[] }> {
    const input = trimTexts(untrimmed);
    assertFaultless(requiredFaults(input, identifiers, control.parseFaults));
    const needed = new Set([...(paths.job ?? []), ...writtenPaths(jobFields, input)]);
    const read = jobWithCompany(
      this.dependencies.companies,
      { ...historyProjection(control.call), ...leavingOut(longPaths, needed) },
      ['brand', 'memberships', ...(paths.company ?? [])],
    );
    return retryLostRace(() => this.tryUpdate(caller, input, control, read));
  }

  private async tryUpdate(
    caller: Caller,
    input: JobUpdateInput,
    control: MutationControl,
    read: JobWithCompanyQuery,
  ) {
    const { references, resolveLocation, clock, settings, versioned, history } = this.dependencies;
    const [{ job, company }, snapshot] = await Promise.all([
      this.find(caller, input, read),
      references.read(referencesIn(jobFields, input)),
    ]);
    if (isMade(job, control.call)) return { job, company, warnings: [] };
    await history.assertVersion(job, control);
    if (!membershipIn(company, job.media)?.isPublished) throw new DomainError('company-not-published');

    const now = clock();
    const { patch, isAllowed, faults, warnings } = readJobUpdate(input, {
      record: job,
      snapshot,
      resolveLocation,
      now,
      settings,
      parseFaults: control.parseFaults,
    });
    assertFaultless(faults);
    if (!isAllowed) throw new DomainError('state-transition-not-allowed', { faults: [moveFault(job, now)] });

    const steps = jobSteps(job, patch, { now, origin: control.origin });
    if (control.isDryRun) return { job: recordAfter(job, steps), company, warnings };
    const written = await versioned.write(job, steps, control.call);
    return written && { job: written, company, warnings };
  }

  /** Fails with unauthorized-limitation if the caller must not learn whether the job and the company exist. */
  private async find(
    caller: Caller,
    input: JobUpdateInput,
    read: JobWithCompanyQuery,
  ): Promise<JobOfCompany> {
    const { companies } = this.dependencies;
    const { mediaPublicId: media, companyPublicId: company, jobPublicId: publicId } = input;
    if (media == null) {
      const found = await this.findReached(caller, allOf({ publicId }, jobsAnywhere(caller)), read);
      if (company != null && company !== found.job.company)
        throw notFound(caller, found.job.media, 'job-not-found');
      return found;
    }
    const by = allOf({ publicId, media }, company != null && { company });
    // Only callers who reach the whole media may learn that a job is absent. For other callers, stop here: the time of a second query
    // would tell them.
    if (!coversMedia(caller, media)) return this.findReached(caller, allOf(by, jobsIn(caller, media)), read);
    const found = await this.findWithCompany(by, read);
    if (found) return found;
    const isCompanyKnown =
      company == null ||
      (await companies.findOne(
        { publicId: company, 'memberships.media': media },
        { projection: projectionOf(['publicId']) },
      ));
    throw new DomainError(isCompanyKnown ? 'job-not-found' : 'company-not-found');
  }

  /** The company decides, and not what the job stores of it, which an import may be about to change. */
  private async findReached(caller: Caller, reached: Record<string, unknown>, read: JobWithCompanyQuery) {
    const found = await this.findWithCompany(reached, read);
    if (!found) throw outOfReach();
    const { job, company } = found;
    if (!reachesRecord(caller, job.media, { createdBy: job.createdBy, brand: company.brand }))
      throw outOfReach();
    return found;
  }

  private async findWithCompany(by: Record<string, unknown>, { stages, decode }: JobWithCompanyQuery) {
    const all = [{ $match: by }, ...stages];
    const [bytes] = await this.dependencies.jobs.aggregate<Uint8Array>(all, asBytes).toArray();
    const found = bytes && decode(bytes);
    return found ? { ...found, bytes: bytes.length } : null;
  }
}
