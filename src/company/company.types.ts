import { GraphQLUpload } from 'graphql-upload-minimal';
import { Field, GraphQLISODateTime, ID, InputType, Int, ObjectType } from 'type-graphql';
import { absentNullOrEmpty, addFields, WarningType } from '../fields/field.types.js';
import { type ShownHistory } from '../history/history-entry.js';
import { companyFields } from './company-fields.rules.js';
import { maxSidePixels } from './logo/logo-image.js';
import { type HeldFile } from './logo/logo-intake.js';

@ObjectType('CompanyVisual', { simpleResolvers: true, description: 'What the company looks like.' })
class CompanyVisualType {
  @Field(() => String, { nullable: true, description: 'URL of the logo; null if there is none.' })
  logo!: string | null;
}

@ObjectType('CompanyContent', { simpleResolvers: true, description: 'How the company presents itself.' })
class CompanyContentType {
  @Field(() => CompanyVisualType, { description: 'What the company looks like.' })
  visual!: CompanyVisualType;

  @Field(() => String, { nullable: true, description: 'Description; null if there is none.' })
  description!: string | null;

  @Field(() => String, { description: 'Language of the content, ISO 639-1: `fr` or `en`.' })
  language!: string;
}

@ObjectType('Company', {
  simpleResolvers: true,
  description: 'A company, as one media shows it.',
})
export class CompanyType {
  /** Tells the `history` resolver which record to read. */
  history!: ShownHistory;
  /** Payloads that version 1.0.0 stored lack these ids. */
  sizeReference?: string | null;
  sectorReferences?: string[];

  @Field(() => ID, { description: 'Id of the company, 24 hexadecimal digits.' })
  id!: string;

  @Field(() => String, { description: 'Name of the company.' })
  name!: string;

  @Field(() => String, { description: 'Readable id of the company. Never changes.' })
  publicId!: string;

  @Field(() => String, { nullable: true, description: 'Web domain as given; null if never set.' })
  domainUrl!: string | null;

  @Field(() => ID, { nullable: true, description: 'Id of the size record; null if never set.' })
  size!: string | null;

  @Field(() => [ID], { description: 'Ids of the sector records.' })
  sectors!: string[];

  @Field(() => [String], {
    description: 'Public ids of the company’s media within the caller’s reach.',
  })
  mediaPublicIds!: string[];

  @Field(() => CompanyContentType, { description: 'How the company presents itself.' })
  content!: CompanyContentType;

  @Field(() => Boolean, { description: 'Whether the company is published in the media.' })
  isPublished!: boolean;

  @Field(() => Boolean, { description: 'Whether the company’s dedicated page is published.' })
  isVmePagePublished!: boolean;

  @Field(() => GraphQLISODateTime, {
    nullable: true,
    description: 'Time of the last change, UTC; null if there was none.',
  })
  updatedAt!: Date | null;

  @Field(() => Int, { description: 'Goes up by one with each change.' })
  version!: number;
}

@InputType('UpdateCompanyInput', {
  description: `${absentNullOrEmpty(companyFields)}.`,
})
export class UpdateCompanyInput {
  @Field(() => String, { description: 'Public id of the media.' })
  mediaPublicId!: string;

  @Field(() => String, {
    nullable: true,
    description: 'Public id of the company. If absent, the company is found by domainUrl, then by name.',
  })
  companyPublicId?: string | null;

  @Field(() => GraphQLUpload, {
    nullable: true,
    description: `A PNG, JPEG, WebP or GIF image, recognised by its content. At most ${maxSidePixels} pixels a side and, by default, 5 MiB. Takes precedence over logoUrl. Null is an error: a logoUrl of null clears the logo.`,
  })
  // receiveLogo reads the file before the resolver runs.
  logo?: Promise<HeldFile> | null;
}

addFields(UpdateCompanyInput, companyFields, {});

@ObjectType('UpdateCompanyPayload', { simpleResolvers: true, description: 'The result of updateCompany.' })
export class UpdateCompanyPayload {
  @Field(() => CompanyType, { description: 'The company after the update.' })
  company!: CompanyType;

  @Field(() => [WarningType], { nullable: true, description: 'Warnings; null if there are none.' })
  warnings!: WarningType[] | null;
}
