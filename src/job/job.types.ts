import { Field, GraphQLISODateTime, ID, InputType, Int, ObjectType } from 'type-graphql';
import {
  absentNullOrEmpty,
  addFields,
  choiceEnum,
  LocalisedTextType,
  WarningType,
} from '../fields/field.types.js';
import { CompanyType } from '../company/company.types.js';
import { type ShownHistory } from '../history/history-entry.js';
import { ReferenceType } from '../reference/reference.types.js';
import { type ApplicationMethod, type JobState } from './job-choices.rules.js';
import { jobFields, salaryPeriods } from './job-fields.rules.js';
import { type SalaryRange } from './job.model.js';

export const JobStateEnum = choiceEnum<JobState>('JobState', 'State of a job.', {
  draft: 'Never published. A job cannot return to this state.',
  published: 'Open to candidates until expiresAt, by default 90 days after publishedAt.',
  archived: 'Closed by an update or at its end. Can be published again.',
});

const ApplicationMethodEnum = choiceEnum<ApplicationMethod>('ApplicationMethod', 'How candidates apply.', {
  internal_apply: 'With the application form of the media.',
  external_apply: 'At the applicationUrl of the job.',
});

@ObjectType('JobCompany', {
  simpleResolvers: true,
  description: 'Company of a job. `employer` has all its fields.',
})
class JobCompanyType {
  @Field(() => String, { description: 'Public id of the company.' })
  publicId!: string;

  @Field(() => String, { description: 'Name of the company.' })
  name!: string;
}

@ObjectType('SalaryRange', { simpleResolvers: true, description: 'Pay of a job.' })
class SalaryRangeType implements SalaryRange {
  @Field(() => String, {
    nullable: true,
    description: 'Minimum pay, a decimal number; null if not set.',
  })
  minimum!: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Maximum pay, a decimal number; null if not set.',
  })
  maximum!: string | null;

  @Field(() => String, { description: 'Currency, ISO 4217.' })
  currency!: string;

  @Field(() => String, { description: `Period of the pay: ${salaryPeriods.join(', ')}.` })
  period!: string;
}

@ObjectType('JobLocation', { simpleResolvers: true, description: 'Where the job is.' })
class JobLocationType {
  @Field(() => String, { nullable: true, description: 'House number; null if unknown.' })
  addressNbr!: string | null;

  @Field(() => String, { nullable: true, description: 'Street; null if unknown.' })
  address!: string | null;

  @Field(() => String, {
    description: 'City, or the caller’s place text if the place was not recognised; "" if unknown.',
  })
  city!: string;

  @Field(() => String, { description: 'French department; "" if unknown.' })
  administrativeAreaDepartment!: string;

  @Field(() => String, { description: 'French region; "" if unknown.' })
  administrativeAreaRegion!: string;

  @Field(() => String, { description: 'Postal code; "" if unknown, or if several are possible.' })
  zipCode!: string;

  @Field(() => String, { description: 'Country in the requested language; "" if unknown.' })
  country!: string;

  @Field(() => String, {
    description: 'ISO 3166-1 alpha-3 code; "" if unknown or if the country has none.',
  })
  countryCode!: string;
}

@ObjectType('JobDescription', {
  simpleResolvers: true,
  description: 'Texts of a job as cleaned HTML; null if not set.',
})
class JobDescriptionType {
  @Field(() => String, { nullable: true, description: 'Company presentation.' })
  companyDesc!: string | null;

  @Field(() => String, { nullable: true, description: 'Job presentation.' })
  jobDesc!: string | null;

  @Field(() => String, { nullable: true, description: 'Required profile.' })
  profileDesc!: string | null;

  @Field(() => String, { nullable: true, description: 'Benefits.' })
  benefitDesc!: string | null;

  @Field(() => String, { nullable: true, description: 'Hiring process.' })
  processDesc!: string | null;
}

@ObjectType('Question', {
  simpleResolvers: true,
  description: 'A question of the application form.',
})
class QuestionType {
  @Field(() => ID, { description: 'Id, 24 hexadecimal digits.' })
  id!: string;

  @Field(() => String, { description: 'Display name.' })
  name!: string;

  @Field(() => String, { description: 'Machine-readable key: `firstname`, `email`, …' })
  ref!: string;

  @Field(() => String, { description: 'Type of the answer: `string`, `email`, `phone_number`, `url`, …' })
  refType!: string;

  @Field(() => LocalisedTextType, { description: 'Title in both languages.' })
  title!: LocalisedTextType;

  @Field(() => LocalisedTextType, {
    nullable: true,
    description: 'Placeholder in both languages; null if none.',
  })
  placeholder?: LocalisedTextType | null;

  @Field(() => Boolean, { description: 'Whether candidates must answer.' })
  isRequired!: boolean;
}

@ObjectType('Job', {
  simpleResolvers: true,
  description: 'A job posting of a company in a media.',
})
export class JobType {
  /** Tells the `history` resolver which record to read. */
  history!: ShownHistory;

  @Field(() => String, { description: 'Title. Updates cannot change it.' })
  name!: string;

  @Field(() => String, { description: 'Readable id. Never changes.' })
  publicId!: string;

  @Field(() => String, { description: 'Public id of the media.' })
  mediaPublicId!: string;

  @Field(() => JobCompanyType, { description: 'Company of the job.' })
  company!: JobCompanyType;

  @Field(() => CompanyType, {
    nullable: true,
    description:
      'Company of the job, with all its fields; null if it is outside the caller’s reach. Needs the scope `r_companies` or `r_w_companies`.',
  })
  employer!: CompanyType | null;

  @Field(() => JobStateEnum, {
    description: 'Current state; archived from expiresAt on.',
  })
  state!: JobState;

  @Field(() => GraphQLISODateTime, {
    nullable: true,
    description: 'Time of the last publication, UTC; null if never published.',
  })
  publishedAt!: Date | null;

  @Field(() => GraphQLISODateTime, {
    nullable: true,
    description: 'When the job will be archived, UTC; null unless it is published.',
  })
  expiresAt!: Date | null;

  @Field(() => ReferenceType, { nullable: true, description: 'Kind of contract.' })
  contract!: ReferenceType | null;

  @Field(() => ReferenceType, { nullable: true, description: 'Job category.' })
  jobCategory!: ReferenceType | null;

  @Field(() => ReferenceType, { nullable: true, description: 'Work time.' })
  worktime!: ReferenceType | null;

  @Field(() => ReferenceType, { nullable: true, description: 'Remote-work policy.' })
  remote!: ReferenceType | null;

  @Field(() => ReferenceType, { nullable: true, description: 'Required education.' })
  education!: ReferenceType | null;

  @Field(() => ReferenceType, { nullable: true, description: 'Required experience.' })
  experience!: ReferenceType | null;

  @Field(() => ReferenceType, { nullable: true, description: 'Company office where the job is based.' })
  office!: ReferenceType | null;

  @Field(() => String, {
    nullable: true,
    description:
      'Place text as the caller sent it; null if not set. An update with the same text keeps a recognised place.',
  })
  localisation!: string | null;

  @Field(() => JobLocationType, { description: 'Place of the job.' })
  location!: JobLocationType;

  @Field(() => String, { nullable: true, description: 'Salary as free text; null if not set.' })
  salary!: string | null;

  @Field(() => SalaryRangeType, { nullable: true, description: 'Pay; null if not set.' })
  salaryRange!: SalaryRangeType | null;

  @Field(() => JobDescriptionType, { description: 'Texts of the job.' })
  description!: JobDescriptionType;

  @Field(() => [QuestionType], { description: 'Questions of the application form.' })
  questions!: QuestionType[];

  @Field(() => String, { description: 'URL of the public job page.' })
  jobUrl!: string;

  @Field(() => String, { description: 'URL of the application form on the job page.' })
  applyUrl!: string;

  @Field(() => Boolean, {
    description: 'True if applicationMethod is external_apply.',
  })
  isRedirectApply!: boolean;

  @Field(() => ApplicationMethodEnum, { description: 'How candidates apply.' })
  applicationMethod!: ApplicationMethod;

  @Field(() => String, {
    nullable: true,
    description: 'URL where candidates apply if applicationMethod is external_apply.',
  })
  applicationUrl!: string | null;

  @Field(() => [String], {
    nullable: true,
    description: 'E-mail addresses of the managers. Needs the scope `r_w_jobs`.',
  })
  managerEmails!: string[] | null;

  @Field(() => [String], {
    nullable: true,
    description: 'E-mail addresses of the recruiters. Needs the scope `r_w_jobs`.',
  })
  recruiterEmails!: string[] | null;

  @Field(() => GraphQLISODateTime, {
    nullable: true,
    description: 'Time of the last change, UTC; null if never changed. The end counts as a change.',
  })
  updatedAt!: Date | null;

  @Field(() => Int, { description: 'Goes up by one with each change.' })
  version!: number;
}

/** `addFields` below adds the fields that an update can change. */
@InputType('UpdateJobInput', {
  description: `${absentNullOrEmpty(jobFields)}.`,
})
export class UpdateJobInput {
  @Field(() => String, {
    nullable: true,
    description: 'Public id of the media; defaults to the job’s media.',
  })
  mediaPublicId?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Public id of the company; defaults to the job’s company.',
  })
  companyPublicId?: string | null;

  @Field(() => String, { description: 'Public id of the job.' })
  jobPublicId!: string;
}

addFields(UpdateJobInput, jobFields, { state: JobStateEnum, applicationMethod: ApplicationMethodEnum });

@ObjectType('UpdateJobPayload', { simpleResolvers: true, description: 'The result of updateJob.' })
export class UpdateJobPayload {
  @Field(() => JobType, { description: 'The job after the update.' })
  job!: JobType;

  @Field(() => [WarningType], { nullable: true, description: 'Warnings; null if none.' })
  warnings!: WarningType[] | null;
}
