import { type Collection } from 'mongoose';
import { memoize } from '../memoize.js';
import { type ReferenceReader } from '../fields/reference-snapshot.js';
import { type Caller } from '../tokens/caller.js';
import { membershipIn } from '../permissions/reach.rules.js';
import { type CompanyRecord } from '../company/company.record.js';
import { type ReplyBudget, asBytes } from '../paging/reply-budget.js';
import { type Order, orders } from '../paging/order.rules.js';
import { fieldConditions } from '../paging/field-filter.rules.js';
import { type ListRequest, mostCounted, type Page, readPage } from '../paging/page.js';
import { allOf, projectionOf } from '../paging/query.rules.js';
import { countList, type ListBounds, readList } from '../database/list.js';
import { recordReader } from '../database/record-reader.js';
import { allInOneBatch } from '../database/all-in-one-batch.js';
import { findWithTimeLimit } from '../database/with-time-limit.js';
import { ReadableRecords } from '../database/readable-records.js';
import { DomainError } from '../errors/domain-error.js';
import { EmployerLoader, type JoinedJob } from './employers.js';
import { type JobPaths, jobsAnywhere } from './job-with-company.js';
import { jobStates } from './job-choices.rules.js';
import { type JobCount, type JobFilter, jobFilters, jobList } from './job-list.js';
import { jobSchema } from './job.mongoose.js';
import { blankJob, type Employer, type JobOfCompany, type JobRecord } from './job.record.js';

const none: ReadonlySet<string> = new Set();

/** The paths that every list needs. */
const listedPaths = ['media', 'company'] satisfies (keyof JobRecord)[];

const readingOfPage = memoize(({ job = none }: JobPaths) =>
  memoize(({ sort }: Order) => {
    const paths = [...job, ...Object.keys(sort), ...listedPaths];
    return {
      ...recordReader<JobRecord>(blankJob, projectionOf(paths)),
      readable: new ReadableRecords(jobSchema, paths),
    };
  }),
);

export class JobListService {
  private readonly employers: EmployerLoader;

  constructor(
    private readonly dependencies: {
      jobs: Collection<JobRecord>;
      companies: Collection<CompanyRecord>;
      references: ReferenceReader;
      clock: () => Date;
      listBounds: ListBounds;
    },
  ) {
    this.employers = new EmployerLoader(dependencies.companies, dependencies.listBounds.queryMs);
  }

  /**
   * The jobs with these public ids within the caller's reach, in no order. One command reads the jobs, another their companies.
   * @throws DomainError payload-too-large
   */
  async findAll(
    caller: Caller,
    publicIds: readonly string[],
    { paths, budget }: { paths: JobPaths; budget: ReplyBudget },
  ): Promise<JobOfCompany[]> {
    const { jobs, listBounds } = this.dependencies;
    const listed = { publicId: { $in: publicIds }, isCompanyInMedia: true };
    const filter = allOf(listed, jobsAnywhere(caller));
    const { projection, decode, readable } = readingOfPage(paths)(orders.public_id);
    const options = {
      ...{ ...asBytes, ...allInOneBatch, hint: { publicId: 1 }, maxTimeMS: listBounds.queryMs },
      projection,
    };
    const read = await findWithTimeLimit<Uint8Array>(jobs, filter, options);
    for (const { length } of read) budget.spend(length);
    const records = read.map(decode);
    const joined = await this.employers.join(records, paths.company ?? none, budget);
    if (joined.length < records.length) throw new DomainError('payload-too-large');
    return joined.flatMap((each) => this.employedOf(each, paths, readable));
  }

  /** One command reads the media's jobs within the caller's reach, another their companies. */
  async page(
    caller: Caller,
    { mediaPublicId: media, filter }: { mediaPublicId: string; filter: JobFilter },
    request: ListRequest,
    paths: JobPaths,
  ): Promise<Page<JobOfCompany>> {
    const { jobs, clock, listBounds: bounds } = this.dependencies;
    const { order, sort } = request;
    const now = clock();
    const reading = readingOfPage(paths)(order);
    const listed = { projected: reading, bounds };
    const compared = await this.compared(filter);
    const roles = jobList(caller, { media, filter, compared, sort, now });
    const { edges, ...page } = await request.counted(
      async () =>
        readPage<JobRecord, JoinedJob>(await readList(jobs, roles, request, listed), request, (records) =>
          this.employers.join(records, paths.company ?? none, request.budget),
        ),
      (limit) =>
        countList(jobs, jobList(caller, { media, filter, compared, sort: countOrder(filter), now }), {
          limit,
          bounds,
        }),
    );
    return {
      ...page,
      // Skips jobs, so a page can have fewer jobs than requested.
      edges: edges.flatMap(({ cursor, node: joined }) =>
        this.employedOf(joined, paths, reading.readable).map((node) => ({ cursor, node })),
      ),
    };
  }

  /**
   * Counts each state that the filter asks for, as the list of that state alone does: a job past its end is counted in no state until the
   * task has stored that it is archived. A count is null where the filter compares what no index has, and the list has over 1 000 jobs.
   */
  async countByState(
    caller: Caller,
    { mediaPublicId: media, filter }: { mediaPublicId: string; filter: JobFilter },
    budget: ReplyBudget,
  ): Promise<JobCount[]> {
    const { jobs, clock, listBounds: bounds } = this.dependencies;
    const now = clock();
    const compared = await this.compared(filter);
    const sort = countOrder(filter);
    const asked = jobStates.filter((state) => !filter.states || filter.states.includes(state));
    const counts: JobCount[] = [];
    for (const state of asked) {
      const roles = jobList(caller, { media, filter: { ...filter, states: [state] }, compared, sort, now });
      const count = await budget.inTurn(() => countList(jobs, roles, { limit: mostCounted, bounds }));
      counts.push({ state, count });
    }
    return counts;
  }

  private readonly compared = (filter: JobFilter) =>
    fieldConditions(jobFilters, filter, () => this.dependencies.references.read());

  /** None if the job's company is gone from the media, or if a record cannot be read. */
  private employedOf({ job, company }: JoinedJob, paths: JobPaths, readable: ReadableRecords) {
    if (!readable.has(this.dependencies.jobs, job)) return [];
    if (paths.company && !(company && membershipIn(company, job.media))) return [];
    // Without a company, no path of it is selected.
    return [{ job, company: company ?? ({} as Employer) }];
  }
}

/** The index of this order has most of what the filter compares. */
const countOrder = ({ updatedSince }: JobFilter) => (updatedSince ? 'updated_at_desc' : 'public_id');
