import 'reflect-metadata';
import { Field, InputType } from 'type-graphql';
import { absentNullOrEmpty, inputField, PublicId } from '../fields/field.graphql.js';
import { type Nullable } from '../fields/field-reader.rules.js';
import { describe } from '../fields/fields.rules.js';
import { type InputNames } from '../fields/row.rules.js';
import { longestPublicId } from './job-creation.rules.js';
import { type ApplicationMethod, type JobState, type PayPeriod } from './job-choices.rules.js';
import { jobFields, type jobRows, newJobFields } from './job-fields.rules.js';
import { ApplicationMethodEnum, JobStateEnum, PayPeriodEnum } from './job-parts.graphql.js';
import { type salaryRows } from './salary.rules.js';

const PayField = inputField<keyof typeof salaryRows>(jobFields, { period: PayPeriodEnum }, 'salaryRange');

@InputType('SalaryRangeInput', { description: jobFields.salaryMinimum!.object!.description })
class SalaryRangeInput implements Record<keyof typeof salaryRows, unknown> {
  @PayField minimum!: Nullable<string>;
  @PayField maximum!: Nullable<string>;
  @PayField currency!: string;
  @PayField period!: PayPeriod;
}

const types = {
  state: JobStateEnum,
  applicationMethod: ApplicationMethodEnum,
  salaryRange: SalaryRangeInput,
};
const JobField = inputField<InputNames<typeof jobRows>>(jobFields, types);
const NewJobField = inputField<InputNames<typeof jobRows>>(newJobFields, types);

/** A field that was not sent is absent: it keeps its value. */
@InputType('UpdateJobInput', { description: absentNullOrEmpty('the state and the application method') })
export class UpdateJobInput implements Record<InputNames<typeof jobRows>, unknown> {
  @PublicId('Public id of the media; defaults to the job’s media.', { nullable: true })
  mediaPublicId?: string | null;

  @PublicId('Public id of the company; defaults to the job’s company.', { nullable: true })
  companyPublicId?: string | null;

  @PublicId('Public id of the job.')
  jobPublicId!: string;

  @JobField name!: Nullable<string>;
  @JobField state!: Nullable<JobState>;
  @JobField expiresAt!: Nullable<string>;
  @JobField contractId!: Nullable<string>;
  @JobField jobCategoryId!: Nullable<string>;
  @JobField worktimeId!: Nullable<string>;
  @JobField remotePolicyId!: Nullable<string>;
  @JobField educationId!: Nullable<string>;
  @JobField experienceId!: Nullable<string>;
  @JobField salary!: Nullable<string>;
  @JobField salaryRange!: Nullable<SalaryRangeInput>;
  @JobField localisation!: Nullable<string>;
  @JobField descriptionCompany!: Nullable<string>;
  @JobField descriptionJob!: Nullable<string>;
  @JobField descriptionProfile!: Nullable<string>;
  @JobField descriptionBenefits!: Nullable<string>;
  @JobField descriptionProcess!: Nullable<string>;
  @JobField applicationMethod!: Nullable<ApplicationMethod>;
  @JobField applicationUrl!: Nullable<string>;
  @JobField managerEmails!: Nullable<string[]>;
  @JobField recruiterEmails!: Nullable<string[]>;
}

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
