import 'reflect-metadata';
import { Field, InputType, ObjectType } from 'type-graphql';
import { inputField, PublicId } from '../fields/field.graphql.js';
import { type Nullable } from '../fields/field-reader.rules.js';
import { describe } from '../fields/fields.rules.js';
import { type InputNames } from '../fields/row.rules.js';
import { WarningType } from '../fields/warning.graphql.js';
import { type ApplicationMethod, type JobState } from './job-choices.rules.js';
import { longestPublicId } from './job-creation.rules.js';
import { type jobRows, newJobFields } from './job-fields.rules.js';
import { inputTypes, type SalaryRangeInput } from './job-input.graphql.js';
import { JobType } from './job.graphql.js';

const NewJobField = inputField<InputNames<typeof jobRows>>(newJobFields, inputTypes);

/** Repeats the fields of `UpdateJobInput`: TypeGraphQL would drop the deprecation of an inherited one. */
@InputType('CreateJobInput', {
  description:
    'A new job. An omitted or null field has no value; the state and the application method cannot be null. An empty text counts as null in a text field; elsewhere it is an error.',
})
export class CreateJobInput implements Record<InputNames<typeof jobRows>, unknown> {
  @PublicId('Public id of the media.')
  mediaPublicId!: string;

  @PublicId('Public id of the company, which is published in the media.')
  companyPublicId!: string;

  @PublicId(
    `Public id of the job, unique over all media: lower-case letters, digits and hyphens, at most ${longestPublicId}, with a letter or digit at both ends. By default, the gateway makes one of the name.`,
    { nullable: true },
  )
  jobPublicId?: string | null;

  @Field(() => String, { description: describe(newJobFields.name!) })
  name!: string;

  @NewJobField state!: Nullable<JobState>;
  @NewJobField expiresAt!: Nullable<string>;
  @NewJobField contractId!: Nullable<string>;
  @NewJobField jobCategoryId!: Nullable<string>;
  @NewJobField worktimeId!: Nullable<string>;
  @NewJobField remotePolicyId!: Nullable<string>;
  @NewJobField educationId!: Nullable<string>;
  @NewJobField experienceId!: Nullable<string>;
  @NewJobField salary!: Nullable<string>;
  @NewJobField salaryRange!: Nullable<SalaryRangeInput>;
  @NewJobField localisation!: Nullable<string>;
  @NewJobField descriptionCompany!: Nullable<string>;
  @NewJobField descriptionJob!: Nullable<string>;
  @NewJobField descriptionProfile!: Nullable<string>;
  @NewJobField descriptionBenefits!: Nullable<string>;
  @NewJobField descriptionProcess!: Nullable<string>;
  @NewJobField applicationMethod!: Nullable<ApplicationMethod>;
  @NewJobField applicationUrl!: Nullable<string>;
  @NewJobField managerEmails!: Nullable<string[]>;
  @NewJobField recruiterEmails!: Nullable<string[]>;
}

@ObjectType('CreateJobPayload', { simpleResolvers: true, description: 'The result of createJob.' })
export class CreateJobPayload {
  @Field(() => JobType, { description: 'The new job.' })
  job!: JobType;

  @Field(() => [WarningType], { description: 'Warnings; empty if there are none.' })
  warnings!: WarningType[];
}
