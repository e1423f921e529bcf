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
import { describe } from '../fields/fields.rules.js';
import { longestPublicId } from './job-creation.rules.js';
import { job, jobFields, newJobFields } from './job-fields.rules.js';

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
@InputType('UpdateJobInput', { description: absentNullOrEmpty('the state and the application method') })
export class UpdateJobInput {
  @PublicId('Public id of the media; defaults to the job’s media.', { nullable: true })
  mediaPublicId?: string | null;

  @PublicId('Public id of the company; defaults to the job’s company.', { nullable: true })
  companyPublicId?: string | null;

  @PublicId('Public id of the job.')
  jobPublicId!: string;
}

addFields(UpdateJobInput, jobFields, enums);

const { name: newName, ...optionalWhenNew } = newJobFields;

/** `addFields` below adds the optional fields, each from its row. In code, an input is a `JobCreateInput`. */
@InputType('CreateJobInput', {
  description:
    'A new job. An omitted or null field has no value; the state and the application method cannot be null. An empty text counts as null in a text field; elsewhere it is an error.',
})
export class CreateJobInput {
  @PublicId('Public id of the media.')
  mediaPublicId!: string;

  @PublicId('Public id of the company, which is published in the media.')
  companyPublicId!: string;

  @PublicId(
    `Public id of the job, unique over all media: lower-case letters, digits and hyphens, at most ${longestPublicId}, with a letter or digit at both ends. By default, the gateway makes one of the name.`,
    { nullable: true },
  )
  jobPublicId?: string | null;

  @Field(() => String, { description: describe(newName!) })
  name!: string;
}

addFields(CreateJobInput, optionalWhenNew, enums);

@ObjectType('CreateJobPayload', { simpleResolvers: true, description: 'The result of createJob.' })
export class CreateJobPayload {
  @Field(() => JobType, { description: 'The new job.' })
  job!: JobType;

  @Field(() => [WarningType], { description: 'Warnings; empty if there are none.' })
  warnings!: WarningType[];
}

@ObjectType('UpdateJobPayload', { simpleResolvers: true, description: 'The result of updateJob.' })
export class UpdateJobPayload {
  @Field(() => JobType, { description: 'The job after the update.' })
  job!: JobType;

  @Field(() => [WarningType], { description: 'Warnings; empty if there are none.' })
  warnings!: WarningType[];
}
