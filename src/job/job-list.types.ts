import { ArgsType, Field, GraphQLISODateTime } from 'type-graphql';
import { connectionType, ListArguments } from '../paging/page.types.js';
import { type JobState } from './job-choices.rules.js';
import { JobStateEnum, JobType } from './job.types.js';

@ArgsType()
export class JobListArguments extends ListArguments {
  @Field(() => String, {
    nullable: true,
    description: 'Returns only jobs of the company with this public id.',
  })
  companyPublicId?: string | null;

  @Field(() => JobStateEnum, { nullable: true, description: 'Returns only jobs in this state now.' })
  state?: JobState | null;

  @Field(() => GraphQLISODateTime, {
    nullable: true,
    description: 'Returns only published jobs that expire before this instant.',
  })
  expiringBefore?: Date | null;

  @Field(() => GraphQLISODateTime, {
    nullable: true,
    description: 'Returns only jobs written at this instant or later, by the database’s clock.',
  })
  updatedSince?: Date | null;
}

export const JobConnectionType = connectionType('Job', JobType, {
  page: 'A page of jobs.',
  items: 'The jobs.',
  edge: 'A job and its position in the list.',
  item: 'The job.',
});
