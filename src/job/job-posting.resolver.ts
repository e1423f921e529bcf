import 'reflect-metadata';
import { GraphQLJSON } from 'graphql-scalars';
import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import { memoize } from '../memoize.js';
import { operations } from '../operations.js';
import { lackOf, type RequestContext } from '../permissions/request-context.js';
import { jobPostingOf } from './job-posting.rules.js';
import { JobType } from './job.graphql.js';

/** A document can select the posting of a job many times. */
const postingFor = memoize((job: JobType) =>
  memoize(({ caller }: RequestContext) => jobPostingOf(job, !lackOf(caller, operations.company))),
);

@Resolver(() => JobType)
export class JobPostingResolver {
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
}
