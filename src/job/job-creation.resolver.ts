import 'reflect-metadata';
import { type GraphQLResolveInfo } from 'graphql';
import { Args, Ctx, Info, Resolver } from 'type-graphql';
import { InputArg, MutationArguments } from '../fields/field.graphql.js';
import { toWarnings } from '../fields/field-reader.rules.js';
import { selectionOf } from '../fields/selection.js';
import { callerOf, controlOf, type RequestContext } from '../permissions/request-context.js';
import { RootField } from '../permissions/root-field.js';
import { CreateJobInput, CreateJobPayload } from './job-creation.graphql.js';
import { type JobCreationService } from './job-creation.service.js';
import { type JobCreateInput } from './job-fields.rules.js';
import { type JobPresenter, readerOfCompanies } from './job.view.js';

@Resolver()
export class JobCreationResolver {
  constructor(
    private readonly creation: JobCreationService,
    private readonly presenter: JobPresenter,
  ) {}

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
}
