import 'reflect-metadata';
import { Field, InputType, ObjectType } from 'type-graphql';
import {
  absentNullOrEmpty,
  addFields,
  choiceEnum,
  buildObjectType,
  PublicId,
} from '../fields/field.graphql.js';
import { WarningType } from '../fields/warning.graphql.js';
import { type ViewOf } from '../fields/row.rules.js';
import { job, jobFields } from './job-fields.rules.js';

export const JobStateEnum = choiceEnum('JobState', 'State of a job.', {
  draft: 'Never published. A job cannot return to this state.',
  published: 'Open to candidates until expiresAt, by default 90 days after publishedAt.',
  archived: 'Closed by an update or at its end. Can be published again.',
});

const ApplicationMethodEnum = choiceEnum('ApplicationMethod', 'How candidates apply.', {
  internal_apply: 'With the application form of the media.',
  external_apply: 'At the applicationUrl of the job.',
});

const PayPeriodEnum = choiceEnum('PayPeriod', 'What an amount is paid for.');

const enums = { JobState: JobStateEnum, ApplicationMethod: ApplicationMethodEnum, PayPeriod: PayPeriodEnum };

export const JobType = buildObjectType('Job', job, enums);
export type JobType = ViewOf<typeof job.fields>;

/** `addFields` below adds the fields that an update can change, each from its row. In code, an input is a `JobUpdateInput`. */
@InputType('UpdateJobInput', { description: absentNullOrEmpty(jobFields) })
export class UpdateJobInput {
  @PublicId('Public id of the media; defaults to the job’s media.', { nullable: true })
  mediaPublicId?: string | null;

  @PublicId('Public id of the company; defaults to the job’s company.', { nullable: true })
  companyPublicId?: string | null;

  @PublicId('Public id of the job.')
  jobPublicId!: string;
}

addFields(UpdateJobInput, jobFields, enums);

@ObjectType('UpdateJobPayload', { simpleResolvers: true, description: 'The result of updateJob.' })
export class UpdateJobPayload {
  @Field(() => JobType, { description: 'The job after the update.' })
  job!: JobType;

  @Field(() => [WarningType], { description: 'Warnings; empty if there are none.' })
  warnings!: WarningType[];
}
