import 'reflect-metadata';
import { Field, ID, ObjectType } from 'type-graphql';
import { choiceEnum, Decimal, LocalisedTextType } from '../fields/field.graphql.js';
import { type SalaryRange } from './job.record.js';

export const JobStateEnum = choiceEnum('JobState', 'State of a job.', {
  draft: 'Never published. A job cannot return to this state.',
  published: 'Open to candidates until expiresAt, by default 90 days after publishedAt.',
  archived: 'Closed by an update or at its end. Can be published again.',
});

export const ApplicationMethodEnum = choiceEnum('ApplicationMethod', 'How candidates apply.', {
  internal_apply: 'With the application form of the media.',
  external_apply: 'At the applicationUrl of the job.',
});

export const PayPeriodEnum = choiceEnum('PayPeriod', 'What an amount is paid for.');

@ObjectType('JobCompany', {
  simpleResolvers: true,
  description: 'Company of a job. `employer` has all its fields.',
})
export class JobCompanyType {
  @Field(() => ID, { description: 'Id of `employer` in the whole graph.' })
  id!: string;

  @Field(() => String, { description: 'Public id of the company.' })
  publicId!: string;

  @Field(() => String, { description: 'Name of the company.' })
  name!: string;
}

@ObjectType('Office', { simpleResolvers: true, description: 'An office of a company.' })
export class OfficeType {
  @Field(() => String, { description: 'Readable id, unique within the company. Never changes.' })
  publicId!: string;

  @Field(() => String, { description: 'Name in the requested language, by default English.' })
  name!: string;
}

@ObjectType('JobLocation', { simpleResolvers: true, description: 'Where the job is.' })
export class JobLocationType {
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

  @Field(() => String, { description: 'ISO 3166-1 alpha-3 code; "" if unknown or if the country has none.' })
  countryCode!: string;
}

@ObjectType('SalaryRange', { simpleResolvers: true, description: 'Pay of a job.' })
export class SalaryRangeType {
  @Field(() => Decimal, { nullable: true, description: 'Minimum pay, a decimal number; null if not set.' })
  minimum!: string | null;

  @Field(() => Decimal, { nullable: true, description: 'Maximum pay, a decimal number; null if not set.' })
  maximum!: string | null;

  @Field(() => String, { description: 'Currency, ISO 4217.' })
  currency!: string;

  @Field(() => PayPeriodEnum, { description: 'Period of the pay.' })
  period!: SalaryRange['period'];
}

@ObjectType('JobDescription', {
  simpleResolvers: true,
  description: 'Texts of a job as cleaned HTML; null if not set.',
})
export class JobDescriptionType {
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

@ObjectType('Question', { simpleResolvers: true, description: 'A question of the application form.' })
export class QuestionType {
  @Field(() => ID, { description: 'Id, 24 hexadecimal digits. Jobs with a copy of the question share it.' })
  questionId!: string;

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
  placeholder!: LocalisedTextType | null;

  @Field(() => Boolean, { description: 'Whether candidates must answer.' })
  isRequired!: boolean;
}
