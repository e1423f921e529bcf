import 'reflect-metadata';
import { ArgsType, Field, GraphQLISODateTime, InputType } from 'type-graphql';
import { choiceEnum } from '../fields/field.types.js';
import { type ListSort } from '../paging/page.js';
import { connectionType, listOrders, NameFilter, PageArguments, sortOptions } from '../paging/page.types.js';
import { type JobState } from './job-choices.rules.js';
import { JobStateEnum, JobType } from './job.types.js';

const JobSortEnum = choiceEnum<ListSort>('JobSort', 'The order of a list of jobs.', {
  ...listOrders,
  published_at_desc:
    'Last published first. Archived jobs stand where they were last published. Jobs never published come last.',
  expires_at_asc:
    'First to expire first. Archived jobs stand where they expired, or would have. Jobs never published come first.',
});

@InputType('JobFilter', {
  description:
    'Narrows a list of jobs to those that match every field. Null does not narrow, and nothing matches an empty list.',
})
export class JobFilterInput extends NameFilter {
  @Field(() => [JobStateEnum], { nullable: true, description: 'Only jobs in one of these states now.' })
  states?: JobState[] | null;

  @Field(() => [String], {
    nullable: true,
    description: 'Only jobs of companies with one of these public ids, at most 100.',
  })
  companyPublicIds?: string[] | null;

  @Field(() => GraphQLISODateTime, {
    nullable: true,
    description: 'Only published jobs that expire before this instant.',
  })
  expiringBefore?: Date | null;

  @Field(() => GraphQLISODateTime, {
    nullable: true,
    description: 'Only jobs written at this instant or later, by the database’s clock.',
  })
  updatedSince?: Date | null;
}

@ArgsType()
export class JobListArguments extends PageArguments {
  @Field(() => JobFilterInput, { nullable: true, description: 'Null means all jobs.' })
  filter?: JobFilterInput | null;

  @Field(() => JobSortEnum, sortOptions)
  sort!: ListSort | null;
}

export const JobConnectionType = connectionType('Job', JobType, {
  page: 'A page of jobs.',
  items: 'The jobs.',
  edge: 'A job and its position in the list.',
  item: 'The job.',
});
