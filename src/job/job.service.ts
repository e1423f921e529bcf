import { type Collection } from 'mongoose';
import { memoize } from '../memoize.js';
import { type Caller } from '../tokens/caller.js';
import { coversMedia, membershipIn, notFound, reachesRecord } from '../permissions/reach.rules.js';
import { type CompanyRecord } from '../company/company.record.js';
import { type AnswerBudget, asBytes } from '../paging/answer-budget.js';
import { writtenPaths, pathsOf, referencesIn, trimTexts } from '../fields/fields.rules.js';
import { type ListSort, type Order, orders, type Page, type PageRequest, readPage } from '../paging/page.js';
import { singleBatch } from '../database/single-batch.js';
import { findInTime } from '../database/slow-query.js';
import { countList, type ListBounds, readList } from '../database/bounded-list.js';
import { planList, planRoles } from '../database/list-plan.js';
import { projected } from '../database/projected.js';
import { allOf, leavingOut, projectionOf, type Query } from '../paging/query.rules.js';
import { type Warning } from '../fields/warning.js';
import { DomainError, outOfReach } from '../errors/domain-error.js';
import { unreadIn } from '../fields/unread.rules.js';
import { fieldFault } from '../errors/field-fault.js';
import { type HistoryService } from '../history/history.service.js';
import {
  assertFaultless,
  historyProjection,
  retryLostRace,
  type UpdateControl,
  type VersionedRecords,
} from '../history/versioned-records.js';
import { recordAfter } from '../history/version-write.rules.js';
import { type ReportDamaged } from '../database/validate-record.js';
import { type ReferenceService } from '../reference/reference.service.js';
import { jobFields, type JobUpdateInput } from './job-fields.rules.js';
import {
  isByStates,
  type JobFilter,
  jobListParts,
  jobListQuery,
  jobsAnywhere,
  jobsIn,
  listedJobsIn,
} from './job-list.rules.js';
import { jobStates } from './job-choices.rules.js';
import {
  type JobWithCompanyQuery,
  EmployerLoader,
  type JobPaths,
  type JoinedJob,
  validJobs,
  jobWithCompany,
} from './employers.js';
import { readPublishedFirst, statesAfterPublished } from './published-first.js';
import { blankJob, type Employer, type JobOfCompany, type JobRecord } from './job.record.js';
import { jobLists } from './job.mongoose.js';
import { type JobSettings } from './job-end.rules.js';
import { readJobUpdate } from './job-update.rules.js';
import { jobSteps, moveFault } from './job.rules.js';
import { type ResolveLocation } from './location/location.js';

/** Checked before all other fields. */
const identifiers = ['mediaPublicId', 'companyPublicId', 'jobPublicId'] as const;

type Within = Parameters<typeof planList>[1];

/** Of index entries. A list by states alone costs what a list without a filter costs, also while the archiving task is late. */
const mostByStates = 1_000;

/** More due jobs are there only while the archiving task is late. */
const mostDue = 200;

const none: ReadonlySet<string> = new Set();

/** The paths that every read needs. */
const placePaths = ['media', 'company', 'createdBy'] satisfies (keyof JobRecord)[];
const listedPaths = ['media', 'company'] satisfies (keyof JobRecord)[];

/** Long values: an update reads them only if it changes or returns them. */
const longPaths = ['questions', ...pathsOf(jobFields, 'isLong')];

const projectionOfPage = memoize(({ job = none }: JobPaths) =>
  memoize(({ sort }: Order) =>
    projected<JobRecord>(blankJob, projectionOf(job, Object.keys(sort), listedPaths)),
  ),
);

const validInPage = memoize(({ job = none, company = none }: JobPaths) =>
  memoize(({ sort }: Order) => validJobs({ job: [...job, ...Object.keys(sort)], company })),
);

export class JobService {
  private readonly employers: EmployerLoader;

  constructor(
    private readonly dependencies: {
      jobs: Collection<JobRecord>;
      companies: Collection<CompanyRecord>;
      versioned: VersionedRecords<JobRecord>;
      history: HistoryService;
      references: ReferenceService;
      resolveLocation: ResolveLocation;
      clock: () => Date;
      settings: JobSettings;
      listBounds: ListBounds;
      onDamaged: ReportDamaged;
    },
  ) {
    this.employers = new EmployerLoader(dependencies.companies, dependencies.listBounds.queryMs);
  }

  private readonly readingOne = memoize(({ job = none, company = none }: JobPaths) =>
    jobWithCompany(this.dependencies.companies, projectionOf(job, placePaths), ['brand', ...company]),
  );

  /**
   * An absent job and a job out of reach give the same error, because the media of an absent job is unknown.
   * @throws DomainError unauthorized-limitation, payload-too-large
   */
  async get(
    caller: Caller,
    publicId: string,
    { paths, budget }: { paths: JobPaths; budget: AnswerBudget },
  ): Promise<JobOfCompany> {
    const reached = allOf({ publicId }, jobsAnywhere(caller));
    const { bytes, ...found } = await this.findReached(caller, reached, this.readingOne(paths));
    budget.spend(bytes);
    return found;
  }

  /**
   * The jobs with these public ids within the caller's reach, in no order. One command reads the jobs, another their companies.
   * @throws DomainError payload-too-large
   */
  async findAll(
    caller: Caller,
    publicIds: readonly string[],
    { paths, budget }: { paths: JobPaths; budget: AnswerBudget },
  ): Promise<JobOfCompany[]> {
    const { jobs, listBounds } = this.dependencies;
    const listed = { publicId: { $in: publicIds }, isCompanyInMedia: true };
    const filter = allOf(listed, jobsAnywhere(caller));
    const { projection, decode } = projectionOfPage(paths)(orders.public_id);
    const options = {
      ...{ ...asBytes, ...singleBatch, hint: { publicId: 1 }, maxTimeMS: listBounds.queryMs },
      projection,
    };
    const read = await findInTime<Uint8Array>(jobs, filter, options);
    for (const { length } of read) budget.spend(length);
    const records = read.map(decode);
    const joined = await this.employers.join(records, paths.company ?? none, budget);
    if (joined.length < records.length) throw new DomainError('payload-too-large');
    return joined.flatMap((each) => this.employedOf(each, paths, validInPage(paths)(orders.public_id)));
  }

  /** One command reads the media's jobs within the caller's reach, another their companies. */
  async page(
    caller: Caller,
    { mediaPublicId: media, filter }: { mediaPublicId: string; filter: JobFilter },
    request: PageRequest,
    paths: JobPaths,
  ): Promise<Page<JobOfCompany>> {
    const { jobs, clock, listBounds: bounds } = this.dependencies;
    const listed = listedJobsIn(caller, media);
    const withinOf = (query: Query): Within => ({ reach: listed, filter: allOf({ media }, query) });
    const { sort } = request;
    const now = clock();
    const projected = projectionOfPage(paths)(request.order);
    const others = statesAfterPublished(filter, request);
    const pageBounds = isByStates(others.length > 0 ? { ...filter, states: jobStates } : filter)
      ? { ...bounds, entries: Math.min(bounds.entries, mostByStates) }
      : bounds;
    const isValid = validInPage(paths)(request.order);
    /** @returns the list as a whole and, if it is one by states for a reach of one role, in parts */
    const listOf = (states: JobFilter['states'], order = sort) => {
      const whole = withinOf(jobListQuery({ ...filter, states: states ?? null }, now, order));
      const { publicIds, updatedSince } = filter;
      const isInParts = !publicIds && !updatedSince && planRoles(jobLists, whole, sort).length === 1;
      const parts = isInParts && states ? jobListParts({ ...filter, states }, now).map(withinOf) : undefined;
      return { whole, parts };
    };
    const read = async (states: JobFilter['states'], part: PageRequest) => {
      const { whole, parts } = listOf(states);
      const plans = await this.plansOf(whole, parts, { sort, states });
      const list = await readList(jobs, plans, part, { projected: projected, bounds: pageBounds });
      return readPage<JobRecord, JoinedJob>(list, part, (records) =>
        this.employers.join(records, paths.company ?? none, request.budget),
      );
    };
    const countOrder = filter.updatedSince ? 'updated_at_desc' : sort;
    const { whole, parts } = listOf(filter.states, countOrder);
    const countPlans = parts
      ? parts.map((part) => planList(jobLists, part, 'expires_at_asc'))
      : [planList(jobLists, whole, countOrder)];
    const { edges, ...page } = await request.counted(
      () => (others.length > 0 ? readPublishedFirst(request, others, read) : read(filter.states, request)),
      async (limit) => {
        let sum = 0;
        for (const plan of countPlans) {
          const count = await countList(jobs, plan, { limit, bounds });
          if (count === null) return null;
          sum += count;
        }
        return sum;
      },
    );
    return {
      ...page,
      // Nobody can reach a job whose company is gone, and a damaged job is skipped, so a page can have fewer jobs than requested.
      edges: edges.flatMap(({ cursor, node: joined }) =>
        this.employedOf(joined, paths, isValid).map((node) => ({ cursor, node })),
      ),
    };
  }

  /**
   * The plans of a list. A due job is stored as published. If few jobs are due, they are found by their end, so a list of archived jobs
   * need not look at those that are published.
   * @param parts only of a list by states, for a reach of one role
   */
  private async plansOf(
    whole: Within,
    parts: readonly Within[] | undefined,
    { sort, states }: { sort: ListSort; states: JobFilter['states'] },
  ) {
    const plansFor = (within: Within) => planRoles(jobLists, within, sort);
    if (parts && sort === 'expires_at_asc') return parts.flatMap(plansFor);
    const [archived, due] = (!states?.includes('published') && parts) || [];
    if (!archived || !due) return plansFor(whole);
    const { jobs, listBounds } = this.dependencies;
    const { bounds, rest, hint } = planList(jobLists, due, 'expires_at_asc');
    const found = await findInTime<Pick<JobRecord, 'publicId'>>(jobs, bounds, {
      ...{ projection: projectionOf(['publicId']), limit: mostDue + 1, maxTimeMS: listBounds.queryMs },
      ...{ ...singleBatch, ...hint },
    });
    if (found.length > mostDue) return plansFor(whole);
    if (found.length === 0) return plansFor(archived);
    const ids = { publicId: { $in: found.map(({ publicId }) => publicId) } };
    const byIds = { bounds: allOf(bounds, ids), hint: { hint: { publicId: 1 as const } } };
    return [...plansFor(archived), { ...byIds, rest, fields: [], covers: () => false }];
  }

  /** None if the job's company is gone from the media, or if a record is damaged. */
  private employedOf({ job, company }: JoinedJob, paths: JobPaths, isValid: ReturnType<typeof validJobs>) {
    const { onDamaged } = this.dependencies;
    if (!isValid(job, company, onDamaged)) return [];
    if (paths.company && !(company && membershipIn(company, job.media))) return [];
    // Without a company, no path of it is selected.
    return [{ job, company: company ?? ({} as Employer) }];
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
    control: UpdateControl,
    paths: JobPaths = {},
  ): Promise<JobOfCompany & { warnings: Warning[] }> {
    const input = trimTexts(untrimmed);
    const missing = identifiers.filter((name) => input[name] === '');
    assertFaultless([...unreadIn(input, identifiers), ...missing.map(fieldFault.missing)]);
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
    control: UpdateControl,
    read: JobWithCompanyQuery,
  ) {
    const { references, resolveLocation, clock, settings, versioned, history } = this.dependencies;
    const [{ job, company }, snapshot] = await Promise.all([
      this.find(caller, input, read),
      references.read(referencesIn(jobFields, input)),
    ]);
    if (await versioned.findMade(job, control.call)) return { job, company, warnings: [] };
    await history.assertVersion(job, control);
    if (!membershipIn(company, job.media)?.isPublished) throw new DomainError('company-not-published');

    const now = clock();
    const { patch, isAllowed, faults, warnings } = readJobUpdate(input, {
      record: job,
      snapshot,
      resolveLocation,
      now,
      settings,
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
