import { Field, GraphQLISODateTime, ID, InputType, Int, ObjectType } from 'type-graphql';
import {
  absentNullOrEmpty,
  addFields,
  choiceEnum,
  LocalisedTextType,
  WarningType,
} from '../content/field.types.js';
import { CompanyType } from '../company/company.types.js';
import { type ShownHistory } from '../history/history-entry.js';
import { ReferenceType } from '../reference/reference.types.js';
import { type ApplicationMethod, type JobState } from './job-choices.rules.js';
import { jobFields, salaryPeriods } from './job-fields.rules.js';
import { type SalaryRange } from './job.model.js';

export const JobStateEnum = choiceEnum<JobState>('JobState', 'The states of a job.', {
  draft: 'Not published so far. No move leads back to it.',
  published:
    'Open to candidates until its lifetime ends, 90 days after publishedAt unless the gateway sets another.',
  archived: 'Closed, by an update or at the end of its lifetime. It may be published again.',
});

const ApplicationMethodEnum = choiceEnum<ApplicationMethod>('ApplicationMethod', 'How a candidate applies.', {
  internal_apply: 'On the media’s own form.',
  external_apply: 'At the job’s applicationUrl.',
});

@ObjectType('JobCompany', {
  simpleResolvers: true,
  description: 'The company of a job, as far as a job shows it.',
})
class JobCompanyType {
  @Field(() => String, { description: 'Its public id.' })
  publicId!: string;

  @Field(() => String, { description: 'Its name.' })
  name!: string;
}

@ObjectType('SalaryRange', { simpleResolvers: true, description: 'What a job pays.' })
class SalaryRangeType implements SalaryRange {
  @Field(() => String, {
    nullable: true,
    description: 'The least it pays, a decimal number; null if not set.',
  })
  minimum!: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'The most it pays, a decimal number; null if not set.',
  })
  maximum!: string | null;

  @Field(() => String, { description: 'The currency, ISO 4217.' })
  currency!: string;

  @Field(() => String, { description: `For how long it is paid: ${salaryPeriods.join(', ')}.` })
  period!: string;
}

@ObjectType('JobLocation', { simpleResolvers: true, description: 'Where the job is.' })
class JobLocationType {
  @Field(() => String, { nullable: true, description: 'Number in the street; null when unknown.' })
  addressNbr!: string | null;

  @Field(() => String, { nullable: true, description: 'Street; null when unknown.' })
  address!: string | null;

  @Field(() => String, {
    description: 'City, or the whole text given when it could not be resolved; "" when unknown.',
  })
  city!: string;

  @Field(() => String, { description: 'French department; "" when unknown.' })
  administrativeAreaDepartment!: string;

  @Field(() => String, { description: 'French region; "" when unknown.' })
  administrativeAreaRegion!: string;

  @Field(() => String, { description: 'Postal code; "" when unknown or when the city has several.' })
  zipCode!: string;

  @Field(() => String, { description: 'Country in the language asked for; "" when unknown.' })
  country!: string;

  @Field(() => String, {
    description: 'ISO 3166-1 alpha-3 code; "" when unknown, or when the country has none.',
  })
  countryCode!: string;
}

@ObjectType('JobDescription', {
  simpleResolvers: true,
  description: 'The texts of a job, each cleaned HTML; null when never set.',
})
class JobDescriptionType {
  @Field(() => String, { nullable: true, description: 'Company presentation.' })
  companyDesc!: string | null;

  @Field(() => String, { nullable: true, description: 'Job presentation.' })
  jobDesc!: string | null;

  @Field(() => String, { nullable: true, description: 'Wanted profile.' })
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
  @Field(() => ID, { description: 'Its 24-hex id.' })
  id!: string;

  @Field(() => String, { description: 'Its display name.' })
  name!: string;

  @Field(() => String, { description: 'Its machine key: `firstname`, `email`, …' })
  ref!: string;

  @Field(() => String, { description: 'Type of the answer: `string`, `email`, `phone_number`, `url`, …' })
  refType!: string;

  @Field(() => LocalisedTextType, { description: 'Its title in both languages.' })
  title!: LocalisedTextType;

  @Field(() => LocalisedTextType, {
    nullable: true,
    description: 'Its placeholder in both languages, if any.',
  })
  placeholder?: LocalisedTextType | null;

  @Field(() => Boolean, { description: 'Whether an answer is mandatory.' })
  isRequired!: boolean;
}

@ObjectType('Job', {
  simpleResolvers: true,
  description: 'A job posting of a company in a media.',
})
export class JobType {
  /** What the resolver of this field reads the history by. */
  history!: ShownHistory;

  @Field(() => String, { description: 'Its title. It cannot be changed by an update.' })
  name!: string;

  @Field(() => String, { description: 'Its readable id, which never changes.' })
  publicId!: string;

  @Field(() => String, { description: 'Public id of the media that it is in.' })
  mediaPublicId!: string;

  @Field(() => JobCompanyType, { description: 'The company that it belongs to.' })
  company!: JobCompanyType;

  @Field(() => CompanyType, {
    nullable: true,
    description:
      'The same company, whole; null when it is out of the caller’s reach. Asking for it needs the scope `r_companies` or `r_w_companies`.',
  })
  employer!: CompanyType | null;

  @Field(() => JobStateEnum, {
    description: 'Its state at this moment: a job is archived from the instant of expiresAt.',
  })
  state!: JobState;

  @Field(() => GraphQLISODateTime, {
    nullable: true,
    description: 'When it last moved into published, UTC; null when it never did.',
  })
  publishedAt!: Date | null;

  @Field(() => GraphQLISODateTime, {
    nullable: true,
    description: 'When it will be archived, UTC; null when it is not published now.',
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

  @Field(() => ReferenceType, { nullable: true, description: 'Education wanted.' })
  education!: ReferenceType | null;

  @Field(() => ReferenceType, { nullable: true, description: 'Experience wanted.' })
  experience!: ReferenceType | null;

  @Field(() => ReferenceType, { nullable: true, description: 'Office of the company that the job is at.' })
  office!: ReferenceType | null;

  @Field(() => String, {
    nullable: true,
    description:
      'Where it is, as an update gave it; null when none did. An update that sends it back changes nothing.',
  })
  localisation!: string | null;

  @Field(() => JobLocationType, { description: 'Where it is.' })
  location!: JobLocationType;

  @Field(() => String, { nullable: true, description: 'Free text; null when never set.' })
  salary!: string | null;

  @Field(() => SalaryRangeType, { nullable: true, description: 'What it pays; null when never set.' })
  salaryRange!: SalaryRangeType | null;

  @Field(() => JobDescriptionType, { description: 'Its texts.' })
  description!: JobDescriptionType;

  @Field(() => [QuestionType], { description: 'Questions of the application form.' })
  questions!: QuestionType[];

  @Field(() => String, { description: 'URL of the public job page.' })
  jobUrl!: string;

  @Field(() => String, { description: 'URL of the job page that opens the application form.' })
  applyUrl!: string;

  @Field(() => Boolean, {
    description: 'Whether applying leads elsewhere: true exactly for an external method.',
  })
  isRedirectApply!: boolean;

  @Field(() => ApplicationMethodEnum, { description: 'How a candidate applies.' })
  applicationMethod!: ApplicationMethod;

  @Field(() => String, { nullable: true, description: 'Where to apply with an external method.' })
  applicationUrl!: string | null;

  @Field(() => [String], {
    nullable: true,
    description: 'E-mail addresses of the managers; asking for them needs the scope `r_w_jobs`.',
  })
  managerEmails!: string[] | null;

  @Field(() => [String], {
    nullable: true,
    description: 'E-mail addresses of the recruiters; asking for them needs the scope `r_w_jobs`.',
  })
  recruiterEmails!: string[] | null;

  @Field(() => GraphQLISODateTime, {
    nullable: true,
    description: 'When it last changed, the end of its lifetime included, UTC; null when it never did.',
  })
  updatedAt!: Date | null;

  @Field(() => Int, { description: 'Raised by one at each change.' })
  version!: number;
}

/** Identifies the job. The fields to change are added below, from the table of a job's fields. */
@InputType('UpdateJobInput', {
  description: `${absentNullOrEmpty(jobFields)}.`,
})
export class UpdateJobInput {
  @Field(() => String, {
    nullable: true,
    description: 'Public id of the media; by default that of the job.',
  })
  mediaPublicId?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Public id of the company; by default that of the job.',
  })
  companyPublicId?: string | null;

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
