import 'reflect-metadata';
import { type GraphQLResolveInfo } from 'graphql';
import { GraphQLJSON } from 'graphql-scalars';
import { Arg, Args, Ctx, FieldResolver, Info, Resolver, Root } from 'type-graphql';
import { memoize } from '../memoize.js';
import {
  callerOf,
  controlOf,
  lackOf,
  mayUpdate,
  type RequestContext,
} from '../permissions/request-context.js';
import { RootField } from '../permissions/root-field.js';
import { type Selection, selectionOf } from '../fields/selection.js';
import { InputArg, MutationArguments, UpdateArguments } from '../fields/field.graphql.js';
import { toWarnings } from '../fields/field-reader.rules.js';
import { ListRequest, mapPage, type Page, PageRequest, tooManyIds } from '../paging/page.js';
import { idsByName } from '../paging/field-filter.rules.js';
import { distinctIds } from '../paging/query.rules.js';
import { MediaArgument, PageArguments } from '../paging/page.graphql.js';
import { batchedPage, listComplexity } from '../paging/page-complexity.rules.js';
import { type Complexity, countComplexity } from '../fields/complexity.rules.js';
import { assertFaultless } from '../history/versioned-records.js';
import { type HistoryService } from '../history/history.service.js';
import { HistoryConnectionType, type HistoryEntryType } from '../history/history.graphql.js';
import { operations } from '../operations.js';
import { JobConnectionType, JobCountsArguments, JobCountType, JobListArguments } from './job-list.graphql.js';
import { comparesBehind, type JobCount, type JobFilter } from './job-list.js';
import { type JobCreationService } from './job-creation.service.js';
import { jobStates } from './job-choices.rules.js';
import { type JobCreateInput, jobFilters, type JobUpdateInput } from './job-fields.rules.js';
import { jobPostingOf } from './job-posting.rules.js';
import { type JobListService } from './job-list.service.js';
import { type JobService } from './job.service.js';
import { CreateJobInput, UpdateJobInput } from './job-input.graphql.js';
import { CreateJobPayload, JobType, UpdateJobPayload } from './job.graphql.js';
import { type JobPresenter, type Reader } from './job.view.js';

/** The caller with only the roles that may read companies: they decide which employers are shown. */
const readerOfCompanies = (context: RequestContext): Reader => ({
  caller: callerOf(context, 'company'),
  mayUpdate: mayUpdate(context),
  language: context.language,
});

/** A document can select the posting of a job many times. */
const postingFor = memoize((job: JobType) =>
  memoize(({ caller }: RequestContext) => jobPostingOf(job, !lackOf(caller, operations.company))),
);

const tooManyIdsIn = (filter: JobFilter) =>
  tooManyIds({
    publicId: filter.publicIds,
    companyPublicId: filter.companyPublicIds,
    ...idsByName(jobFilters, filter),
  });

/** Five units; of each further one in an operation what its counts take. */
const countsComplexity: Complexity = (field) => 1_900 + countComplexity(field, jobStates.length);

@Resolver(() => JobType)
export class JobResolver {
  constructor(
    private readonly jobs: JobService,
    private readonly lists: JobListService,
    private readonly creation: JobCreationService,
    private readonly presenter: JobPresenter,
    private readonly histories: HistoryService,
  ) {}

  @RootField(
    'job',
    () => JobType,
    'A job within the caller’s reach. Any other job, existing or not, fails with `unauthorized-limitation`.',
  )
  async job(
    @Arg('publicId', () => String, { description: 'Public id of the job.' }) publicId: string,
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<JobType> {
    const view = this.presenter.view(selectionOf(info));
    const read = { paths: view.paths, budget: context.budget };
    const found = await this.jobs.get(callerOf(context, 'job'), publicId, read);
    const show = await view.prepare(readerOfCompanies(context), [found.job]);
    return show(found);
  }

  @RootField('jobs', () => JobConnectionType, 'The jobs of a media that are within the caller’s reach.', {
    complexity: listComplexity({ comparesBehind }),
  })
  async list(
    @Args(() => MediaArgument) { mediaPublicId }: MediaArgument,
    @Args(() => JobListArguments) { filter: requested, ...page }: JobListArguments,
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Page<JobType>> {
    const filter = requested ?? {};
    const view = this.presenter.view(selectionOf(info, 'edges', 'node'));
    const request = new ListRequest(
      { ...page, ids: distinctIds(filter.publicIds) },
      context.budget,
      selectionOf(info),
      [...context.parseFaults, ...tooManyIdsIn(filter)],
    );
    const caller = callerOf(context, 'jobs');
    const found = await this.lists.page(caller, { mediaPublicId, filter }, request, view.paths);
    const jobs = found.edges.map(({ node }) => node.job);
    return mapPage(found, await view.prepare(readerOfCompanies(context), jobs));
  }

  @RootField(
    'jobCounts',
    () => [JobCountType],
    'How many jobs each state has in a list of `jobs` with this filter: of each state that the filter names, or of all. Costs 5 units, and further `jobCounts` of the same operation more.',
    { complexity: countsComplexity },
  )
  async counts(
    @Args(() => MediaArgument) { mediaPublicId }: MediaArgument,
    @Args(() => JobCountsArguments) { filter: requested }: JobCountsArguments,
    @Ctx() context: RequestContext,
  ): Promise<JobCount[]> {
    const filter = requested ?? {};
    assertFaultless([...context.parseFaults, ...tooManyIdsIn(filter)]);
    return this.lists.countByState(callerOf(context, 'jobCounts'), { mediaPublicId, filter }, context.budget);
  }

  @RootField(
    'updateJob',
    () => UpdateJobPayload,
    'Updates a job. Its company must be published in the media.',
  )
  async updateJob(
    @InputArg(() => UpdateJobInput, 'The job to update, and its new values.')
    input: JobUpdateInput,
    @Args(() => UpdateArguments) args: UpdateArguments,
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<UpdateJobPayload> {
    // With an idempotency key, read all fields: a repeated call may select other fields than the first.
    const view = this.presenter.view(context.call ? undefined : selectionOf(info, 'job'));
    const control = controlOf(context, args);
    const caller = callerOf(context, 'updateJob');
    const { warnings, ...updated } = await this.jobs.update(caller, input, control, view.paths);
    const show = await view.prepare(readerOfCompanies(context), [updated.job]);
    return { job: show(updated), warnings: toWarnings(warnings, context) };
  }

  @RootField(
    'createJob',
    () => CreateJobPayload,
    'Creates a job of a company that is published in the media: for a `media_admin` any of the media, for a `brand_admin` one of its brand, for a `media_partner` one that it created or has a job of its own in.',
  )
  async createJob(
    @InputArg(() => CreateJobInput, 'The values of the new job.')
    input: JobCreateInput,
    @Args(() => MutationArguments) args: MutationArguments,
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<CreateJobPayload> {
    const view = this.presenter.view(context.call ? undefined : selectionOf(info, 'job'));
    const caller = callerOf(context, 'createJob');
    const control = controlOf(context, args);
    const { warnings, ...created } = await this.creation.create(caller, input, control, view.paths);
    const show = await view.prepare(readerOfCompanies(context), [created.job]);
    return { job: show(created), warnings: toWarnings(warnings, context) };
  }

  async nodes(
    keys: readonly (readonly [publicId: string])[],
    context: RequestContext,
    selection: Selection,
  ): Promise<(JobType | null)[]> {
    const view = this.presenter.view(selection);
    const publicIds = keys.map(([publicId]) => publicId);
    const read = { paths: view.paths, budget: context.budget };
    const found = await this.lists.findAll(callerOf(context, 'job'), publicIds, read);
    const jobs = found.map(({ job }) => job);
    const show = await view.prepare(readerOfCompanies(context), jobs);
    const views = new Map(found.map((each) => [each.job.publicId, show(each)]));
    return publicIds.map((publicId) => views.get(publicId) ?? null);
  }

  @FieldResolver(() => GraphQLJSON, {
    nullable: true,
    description:
      'The job as a schema.org `JobPosting`, as Google documents it. When you embed it in a web page, write each `<` as `\\u003c`. Null unless the job is published. Contains no e-mail addresses. Only callers who may read companies get the company’s site and logo.',
    complexity: 50,
  })
  // A parameter of a class would get a copy of the job for each alias.
  jobPosting(@Root() job: Readonly<JobType>, @Ctx() context: RequestContext): object | null {
    return postingFor(job)(context);
  }

  @FieldResolver(() => HistoryConnectionType, {
    nullable: true,
    description: 'Changes to the job, newest first.',
    complexity: listComplexity({ own: batchedPage, isCounted: false }),
  })
  async history(
    @Root() { history }: Pick<JobType, 'history'>,
    @Args(() => PageArguments) page: PageArguments,
    @Ctx() { budget }: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Page<HistoryEntryType>> {
    return this.histories.page(history, new PageRequest(page, budget, selectionOf(info)));
  }
}
