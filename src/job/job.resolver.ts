import 'reflect-metadata';
import { type GraphQLResolveInfo } from 'graphql';
import { Arg, Args, Ctx, Info, Resolver } from 'type-graphql';
import { InputArg, UpdateArguments } from '../fields/field.graphql.js';
import { toWarnings } from '../fields/field-reader.rules.js';
import { selectionOf } from '../fields/selection.js';
import { callerOf, controlOf, type RequestContext } from '../permissions/request-context.js';
import { RootField } from '../permissions/root-field.js';
import { type JobUpdateInput } from './job-fields.rules.js';
import { UpdateJobInput } from './job-input.graphql.js';
import { JobType, UpdateJobPayload } from './job.graphql.js';
import { type JobService } from './job.service.js';
import { type JobPresenter, readerOfCompanies } from './job.view.js';

@Resolver(() => JobType)
export class JobResolver {
  constructor(
    private readonly jobs: JobService,
    private readonly presenter: JobPresenter,
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
}
