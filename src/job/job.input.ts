import { Field, InputType, ObjectType } from 'type-graphql';
import { addFields } from '../content/field.types.js';
import { WarningType } from '../content/warning.types.js';
import { jobFields } from './job-fields.rules.js';
import { ApplicationMethodEnum, JobStateEnum, JobType } from './job.types.js';

/** Identifies the job. The fields to change are added below, from the table of a job's fields. */
@InputType('UpdateJobInput', {
  description:
    'An omitted field keeps its value; null clears free texts and lists and is an error for every other field (Contract 4.2.2, 4.3).',
})
export class UpdateJobInput {
  @Field(() => String, { description: 'Public id of the media.' })
  mediaPublicId!: string;

  @Field(() => String, { description: 'Public id of the company, which must be published in the media.' })
  companyPublicId!: string;

  @Field(() => String, { description: 'Public id of the job.' })
  jobPublicId!: string;
}

addFields(UpdateJobInput, jobFields, { state: JobStateEnum, applicationMethod: ApplicationMethodEnum });

@ObjectType('UpdateJobPayload', { simpleResolvers: true, description: 'What updateJob answers.' })
export class UpdateJobPayload {
  @Field(() => JobType, { description: 'The whole job after the update.' })
  job!: JobType;

  @Field(() => [WarningType], { nullable: true, description: 'Null when there are none.' })
  warnings!: WarningType[] | null;
}
