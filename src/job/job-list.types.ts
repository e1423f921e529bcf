import { ArgsType, Field, GraphQLISODateTime, ObjectType } from 'type-graphql';
import { PageArguments, PageInfoType } from '../content/page.types.js';
import { type JobState } from './job-choices.rules.js';
import { JobStateEnum, JobType } from './job.types.js';

@ArgsType()
export class JobListArguments extends PageArguments {
  @Field(() => String, { description: 'Public id of the media.' })
  mediaPublicId!: string;

  @Field(() => String, { nullable: true, description: 'Only jobs of the company with this public id.' })
  companyPublicId?: string | null;

  @Field(() => JobStateEnum, { nullable: true, description: 'Only jobs that are in this state now.' })
  state?: JobState | null;

  @Field(() => String, {
    nullable: true,
    description: 'Only those with this text in their name, whatever the case.',
  })
  name?: string | null;

  @Field(() => GraphQLISODateTime, {
    nullable: true,
    description: 'Only jobs that are published now and will be archived before this instant.',
  })
  expiringBefore?: Date | null;
}

@ObjectType('JobEdge', { simpleResolvers: true, description: 'A job and where it is in the list.' })
class JobEdgeType {
  @Field(() => String, { description: 'For `after`.' })
  cursor!: string;

  @Field(() => JobType, { description: 'The job.' })
  node!: JobType;
}

@ObjectType('JobConnection', { simpleResolvers: true, description: 'A page of jobs, by public id.' })
export class JobConnectionType {
  @Field(() => [JobEdgeType], { description: 'The jobs.' })
  edges!: JobEdgeType[];

  @Field(() => PageInfoType, { description: 'Where the page is.' })
  pageInfo!: PageInfoType;
}
