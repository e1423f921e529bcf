import 'reflect-metadata';
import { Extensions, Field, GraphQLISODateTime, ID, Int, ObjectType } from 'type-graphql';
import { CompanyType } from '../company/company.graphql.js';
import { elements } from '../fields/complexity.rules.js';
import { NodeType } from '../fields/field.graphql.js';
import { type ViewOf } from '../fields/row.rules.js';
import { WarningType } from '../fields/warning.graphql.js';
import { type HistoryPosition } from '../history/history-entry.js';
import { MediaType } from '../media/media.graphql.js';
import { ReferenceType } from '../reference/reference.graphql.js';
import { type ApplicationMethod, type JobState } from './job-choices.rules.js';
import { type jobRows } from './job-fields.rules.js';
import {
  ApplicationMethodEnum,
  JobCompanyType,
  JobDescriptionType,
  JobLocationType,
  JobStateEnum,
  OfficeType,
  QuestionType,
  SalaryRangeType,
} from './job-parts.graphql.js';

@ObjectType('Job', {
  simpleResolvers: true,
  implements: NodeType,
  description: 'A job posting of a company in a media.',
})
export class JobType extends NodeType implements ViewOf<typeof jobRows> {
  @Field(() => ID, { description: 'Id in the whole graph.' })
  declare id: string;

  @Field(() => String, { description: 'Title. Updates cannot change it.' })
  name!: string;

  @Field(() => String, { description: 'Readable id. Never changes.' })
  publicId!: string;

  @Field(() => JobCompanyType, { description: 'Company of the job.' })
  company!: JobCompanyType;

  @Field(() => ReferenceType, { nullable: true, description: 'Work time.' })
  worktime!: ReferenceType | null;

  @Field(() => ReferenceType, { nullable: true, description: 'Remote-work policy.' })
  remote!: ReferenceType | null;

  @Field(() => ReferenceType, { nullable: true, description: 'Required education.' })
  education!: ReferenceType | null;

  @Field(() => ReferenceType, { nullable: true, description: 'Required experience.' })
  experience!: ReferenceType | null;

  @Field(() => ReferenceType, { nullable: true, description: 'Kind of contract.' })
  contract!: ReferenceType | null;

  @Field(() => OfficeType, { nullable: true, description: 'Company office where the job is based.' })
  office!: OfficeType | null;

  @Field(() => JobLocationType, { description: 'Place of the job.' })
  location!: JobLocationType;

  @Field(() => String, { nullable: true, description: 'Salary as free text; null if not set.' })
  salary!: string | null;

  @Field(() => SalaryRangeType, { nullable: true, description: 'Pay; null if not set.' })
  salaryRange!: SalaryRangeType | null;

  @Field(() => JobDescriptionType, { description: 'Texts of the job.' })
  description!: JobDescriptionType;

  @Field(() => [QuestionType], {
    description: 'Questions of the application form.',
    // Most have six, and some a hundred.
    complexity: elements(60),
  })
  questions!: QuestionType[];

  @Field(() => String, { description: 'URL of the public job page.' })
  jobUrl!: string;

  @Field(() => String, { description: 'URL of the application form on the job page.' })
  applyUrl!: string;

  @Field(() => GraphQLISODateTime, {
    nullable: true,
    description: 'Time of the last publication, UTC; null if never published.',
  })
  publishedAt!: Date | null;

  @Field(() => Boolean, { description: 'True if candidates apply on another site.' })
  isRedirectApply!: boolean;

  @Field(() => JobStateEnum, { description: 'Current state; archived from its end on.' })
  state!: JobState;

  @Field(() => [JobStateEnum], { description: 'The states that the job can move to now.' })
  nextStates!: readonly JobState[];

  @Field(() => GraphQLISODateTime, {
    nullable: true,
    description: 'When the job will be archived, UTC; null unless it is published.',
  })
  expiresAt!: Date | null;

  @Field(() => ReferenceType, { nullable: true, description: 'Job category.' })
  jobCategory!: ReferenceType | null;

  @Field(() => ApplicationMethodEnum, { description: 'How candidates apply.' })
  applicationMethod!: ApplicationMethod;

  @Field(() => String, {
    nullable: true,
    description: 'URL where candidates apply if applicationMethod is external_apply.',
  })
  applicationUrl!: string | null;

  @Extensions({ for: 'updateJob' })
  @Field(() => [String], {
    nullable: true,
    description: 'E-mail addresses of the managers. Needs the scope `r_w_jobs`.',
  })
  managerEmails!: string[] | null;

  @Extensions({ for: 'updateJob' })
  @Field(() => [String], {
    nullable: true,
    description: 'E-mail addresses of the recruiters. Needs the scope `r_w_jobs`.',
  })
  recruiterEmails!: string[] | null;

  @Field(() => String, { description: 'Public id of the media.' })
  mediaPublicId!: string;

  @Field(() => MediaType, { description: 'Media of the job.' })
  media!: MediaType;

  @Extensions({ for: 'company' })
  @Field(() => CompanyType, {
    nullable: true,
    description:
      'Company of the job, with all its fields; null if it is outside the caller’s reach. Needs the scope `r_companies` or `r_w_companies`.',
  })
  employer!: CompanyType | null;

  @Field(() => String, {
    nullable: true,
    description:
      'Place text as the caller sent it; null if not set. An update with the same text keeps a recognised place.',
  })
  localisation!: string | null;

  @Field(() => GraphQLISODateTime, {
    description:
      'Time of the last change or, if there was none, of the creation, UTC. The end counts as a change.',
  })
  updatedAt!: Date;

  @Field(() => Int, { description: 'Goes up by one with each change.' })
  version!: number;

  @Field(() => Boolean, {
    description:
      'Whether the caller may update the job: its role, scope and reach allow it, and the company is published.',
  })
  viewerCanUpdate!: boolean;

  // The resolver shows it.
  history!: HistoryPosition;
}

@ObjectType('UpdateJobPayload', { simpleResolvers: true, description: 'The result of updateJob.' })
export class UpdateJobPayload {
  @Field(() => JobType, { description: 'The job after the update.' })
  job!: JobType;

  @Field(() => [WarningType], { description: 'Warnings; empty if there are none.' })
  warnings!: WarningType[];
}
