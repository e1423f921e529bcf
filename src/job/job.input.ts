import { Field, InputType, ObjectType } from 'type-graphql';
import { WarningType } from '../content/warning.types.js';
import { jobLimits } from './job-update.rules.js';
import { type ApplicationMethod, type JobState } from './job.model.js';
import { ApplicationMethodEnum, JobStateEnum, JobType } from './job.types.js';

const html = `HTML of at most ${jobLimits.description} characters after cleaning; plain text is wrapped in a paragraph.`;
const reference = 'Its 24-hex id or its public id.';
const emails = `At most ${jobLimits.emails} addresses; replaces the list, null or [] empties it.`;

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

  @Field(() => String, {
    nullable: true,
    description: 'Accepted, never applied: a differing name gives a warning.',
  })
  name?: string | null;

  @Field(() => JobStateEnum, { nullable: true, description: 'The state to move to (Contract 3.2).' })
  state?: JobState | null;

  @Field(() => String, { nullable: true, description: `Kind of contract. ${reference}` })
  contractId?: string | null;

  @Field(() => String, { nullable: true, description: `Job category. ${reference}` })
  jobCategoryId?: string | null;

  @Field(() => String, { nullable: true, description: `Work time. ${reference}` })
  worktimeId?: string | null;

  @Field(() => String, { nullable: true, description: `Remote-work policy. ${reference}` })
  remotePolicyId?: string | null;

  @Field(() => String, { nullable: true, description: `Education wanted. ${reference}` })
  educationId?: string | null;

  @Field(() => String, { nullable: true, description: `Experience wanted. ${reference}` })
  experienceId?: string | null;

  @Field(() => String, { nullable: true, description: `Free text, at most ${jobLimits.salary} characters.` })
  salary?: string | null;

  @Field(() => String, {
    nullable: true,
    description: `"city[, department or region][, country]", at most ${jobLimits.localisation} characters.`,
  })
  localisation?: string | null;

  @Field(() => String, { nullable: true, description: `Company presentation. ${html}` })
  descriptionCompany?: string | null;

  @Field(() => String, { nullable: true, description: `Job presentation. ${html}` })
  descriptionJob?: string | null;

  @Field(() => String, { nullable: true, description: `Wanted profile. ${html}` })
  descriptionProfile?: string | null;

  @Field(() => String, { nullable: true, description: `Benefits. ${html}` })
  descriptionBenefits?: string | null;

  @Field(() => String, { nullable: true, description: `Hiring process. ${html}` })
  descriptionProcess?: string | null;

  @Field(() => ApplicationMethodEnum, { nullable: true, description: 'How a candidate applies.' })
  applicationMethod?: ApplicationMethod | null;

  @Field(() => String, {
    nullable: true,
    description: `http or https URL of at most ${jobLimits.applicationUrl} characters; required when the resulting method is external.`,
  })
  applicationUrl?: string | null;

  @Field(() => [String], { nullable: true, description: `E-mail addresses of managers. ${emails}` })
  managerEmails?: string[] | null;

  @Field(() => [String], { nullable: true, description: `E-mail addresses of recruiters. ${emails}` })
  recruiterEmails?: string[] | null;
}

@ObjectType('UpdateJobPayload', { simpleResolvers: true, description: 'What updateJob answers.' })
export class UpdateJobPayload {
  @Field(() => JobType, { description: 'The whole job after the update.' })
  job!: JobType;

  @Field(() => [WarningType], { nullable: true, description: 'Null when there are none.' })
  warnings!: WarningType[] | null;
}
