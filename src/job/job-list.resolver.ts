import 'reflect-metadata';
import { type GraphQLResolveInfo } from 'graphql';
import { Args, Ctx, FieldResolver, Info, Resolver, Root } from 'type-graphql';
import { type Complexity, countComplexity } from '../fields/complexity.rules.js';
import { type Selection, selectionOf } from '../fields/selection.js';
import { HistoryConnectionType, type HistoryEntryType } from '../history/history.graphql.js';
import { type HistoryService } from '../history/history.service.js';
import { assertFaultless } from '../history/versioned-records.js';
import { idsByName } from '../paging/field-filter.rules.js';
import { batchedPage, listComplexity } from '../paging/page-complexity.rules.js';
import { MediaArgument, PageArguments } from '../paging/page.graphql.js';
import { ListRequest, mapPage, type Page, PageRequest, tooManyIds } from '../paging/page.js';
import { distinctIds } from '../paging/query.rules.js';
import { callerOf, type RequestContext } from '../permissions/request-context.js';
import { RootField } from '../permissions/root-field.js';
import { jobStates } from './job-choices.rules.js';
import { JobConnectionType, JobCountsArguments, JobCountType, JobListArguments } from './job-list.graphql.js';
import { type JobListService } from './job-list.service.js';
import { comparesBehind, type JobCount, type JobFilter, jobFilters } from './job-list.js';
import { JobType } from './job.graphql.js';
import { type JobPresenter, readerOfCompanies } from './job.view.js';

const tooManyIdsIn = (filter: JobFilter) =>
  tooManyIds({
    publicId: filter.publicIds,
    companyPublicId: filter.companyPublicIds,
    ...idsByName(jobFilters, filter),
  });

/** Five units; of each further one in an operation what its counts take. */
const countsComplexity: Complexity = (field) => 1_900 + countComplexity(field, jobStates.length);

/** Lists of jobs, and the history of each. */
@Resolver(() => JobType)
export class JobListResolver {
  constructor(
    private readonly lists: JobListService,
    private readonly presenter: JobPresenter,
    private readonly histories: HistoryService,
  ) {}

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
