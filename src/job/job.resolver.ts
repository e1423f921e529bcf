import { Arg, Ctx, Directive, Mutation, Query, Resolver } from 'type-graphql';
import { callerOf, originOf, type RequestContext } from '../access/request-context.js';
import { toWarnings } from '../content/warning.types.js';
import { UpdateJobInput, UpdateJobPayload } from './job.input.js';
import { type JobService } from './job.service.js';
import { JobType } from './job.types.js';
import { type JobPresenter } from './job.view.js';

@Resolver()
export class JobResolver {
  constructor(
    private readonly jobs: JobService,
    private readonly presenter: JobPresenter,
  ) {}

  @Directive('@rateLimit(limit: 50, duration: 1)')
  @Query(() => JobType, { nullable: true, description: 'A job within the caller’s reach.' })
  async job(
    @Arg('publicId', () => String, { description: 'Public id of the job.' }) publicId: string,
    @Ctx() context: RequestContext,
  ): Promise<JobType> {
    return this.presenter.present(await this.jobs.get(callerOf(context), publicId), context.language);
  }

  @Directive('@rateLimit(limit: 2, duration: 1)')
  @Mutation(() => UpdateJobPayload, {
    nullable: true,
    description:
      'Updates a job of a company that is published in the media (Contract 4.2). Needs one of the roles and the scope `r_w_jobs`.',
  })
  async updateJob(
    @Arg('input', () => UpdateJobInput, { description: 'Which job, and what to change in it.' })
    input: UpdateJobInput,
    @Ctx() context: RequestContext,
  ): Promise<UpdateJobPayload> {
    const { warnings, ...updated } = await this.jobs.update(callerOf(context), input, {
      origin: originOf(context),
      readFaults: context.readFaults,
    });
    return {
      job: await this.presenter.present(updated, context.language),
      warnings: toWarnings(warnings, context.language),
    };
  }
}
