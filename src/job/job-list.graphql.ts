import 'reflect-metadata';
import { ArgsType, Field, GraphQLISODateTime, InputType, Int, ObjectType } from 'type-graphql';
import { choiceEnum } from '../fields/field.graphql.js';
import { field, type RowsFor } from '../fields/row.rules.js';
import { type ListSort } from '../paging/order.rules.js';
import {
  addFilters,
  connectionType,
  listOrders,
  NameFilter,
  PageArguments,
  sortOptions,
} from '../paging/page.graphql.js';
import { type JobState } from './job-choices.rules.js';
import { type JobCount, jobFilters } from './job-list.js';
import { JobStateEnum } from './job-parts.graphql.js';
import { JobType } from './job.graphql.js';

const JobSortEnum = choiceEnum('JobSort', 'The order of a list of jobs.', {
  ...listOrders,
  published_at_desc:
    'Last published first. Archived jobs stand where they were last published. Jobs never published come last.',
});

const description =
  'Narrows a list of jobs to those that match every field. Null does not narrow, and nothing matches an empty list.';

@InputType('CompanyJobFilter', { description })
export class CompanyJobFilterInput extends NameFilter {
  @Field(() => [JobStateEnum], { nullable: true, description: 'Only jobs in one of these states now.' })
  states?: JobState[] | null;

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

addFilters(CompanyJobFilterInput, jobFilters);

@InputType('JobFilter', { description })
export class JobFilterInput extends CompanyJobFilterInput {
  @Field(() => [String], {
    nullable: true,
    description: 'Only jobs of companies with one of these public ids, at most 100.',
  })
  companyPublicIds?: string[] | null;
}

@ArgsType()
class JobSortArguments extends PageArguments {
  @Field(() => JobSortEnum, sortOptions)
  sort!: ListSort | null;
}

const filterOptions = { nullable: true, description: 'Null means all jobs.' };

@ArgsType()
export class JobCountsArguments {
  @Field(() => JobFilterInput, filterOptions)
  filter?: JobFilterInput | null;
}

@ArgsType()
export class JobListArguments extends JobSortArguments {
  @Field(() => JobFilterInput, filterOptions)
  filter?: JobFilterInput | null;
}

@ArgsType()
export class CompanyJobsArguments extends JobSortArguments {
  @Field(() => CompanyJobFilterInput, filterOptions)
  filter?: CompanyJobFilterInput | null;
}

/** In the order of the documented reply. */
export const jobCountRows = { state: field('state'), count: field('count') } satisfies RowsFor<JobCount>;

@ObjectType('JobCount', { simpleResolvers: true, description: 'How many jobs of a list are in a state.' })
export class JobCountType implements JobCount {
  @Field(() => JobStateEnum, { description: 'The state.' })
  state!: JobState;

  @Field(() => Int, {
    nullable: true,
    description:
      'The number of jobs; 10 001 means more. Null if counting would look at too many, as for `totalCount`.',
  })
  count!: number | null;
}

export const JobConnectionType = connectionType('Job', JobType, {
  page: 'A page of jobs.',
  items: 'The jobs.',
  edge: 'A job and its position in the list.',
  item: 'The job.',
});
