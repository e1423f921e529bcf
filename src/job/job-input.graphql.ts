import 'reflect-metadata';
import { InputType } from 'type-graphql';
import { absentNullOrEmpty, inputField, PublicId } from '../fields/field.graphql.js';
import { type Nullable } from '../fields/field-reader.rules.js';
import { type InputNames } from '../fields/row.rules.js';
import { type ApplicationMethod, type JobState, type PayPeriod } from './job-choices.rules.js';
import { jobFields, type jobRows } from './job-fields.rules.js';
import { ApplicationMethodEnum, JobStateEnum, PayPeriodEnum } from './job-parts.graphql.js';
import { type salaryRows } from './salary.rules.js';

const PayField = inputField<keyof typeof salaryRows>(jobFields, { period: PayPeriodEnum }, 'salaryRange');

@InputType('SalaryRangeInput', { description: jobFields.salaryMinimum!.object!.description })
export class SalaryRangeInput implements Record<keyof typeof salaryRows, unknown> {
  @PayField minimum!: Nullable<string>;
  @PayField maximum!: Nullable<string>;
  @PayField currency!: string;
  @PayField period!: PayPeriod;
}

/** The enums and objects among the inputs of a job. */
export const inputTypes = {
  state: JobStateEnum,
  applicationMethod: ApplicationMethodEnum,
  salaryRange: SalaryRangeInput,
};
const JobField = inputField<InputNames<typeof jobRows>>(jobFields, inputTypes);

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
