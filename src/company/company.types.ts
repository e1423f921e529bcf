import { GraphQLUpload } from 'graphql-upload-minimal';
import { Field, GraphQLISODateTime, ID, InputType, Int, ObjectType } from 'type-graphql';
import { absentNullOrEmpty, addFields, WarningType } from '../content/field.types.js';
import { type ShownHistory } from '../history/history-entry.js';
import { companyFields } from './company-fields.rules.js';
import { maxSidePixels } from './logo/logo-image.js';
import { type HeldFile } from './logo/logo-intake.js';

@ObjectType('CompanyVisual', { simpleResolvers: true, description: 'What the company looks like.' })
class CompanyVisualType {
  @Field(() => String, { nullable: true, description: 'URL of the logo; null when there is none.' })
  logo!: string | null;
}

@ObjectType('CompanyContent', { simpleResolvers: true, description: 'What the company says of itself.' })
class CompanyContentType {
  @Field(() => CompanyVisualType, { description: 'What the company looks like.' })
  visual!: CompanyVisualType;

  @Field(() => String, { nullable: true, description: 'Its description; null when never set.' })
  description!: string | null;

  @Field(() => String, { description: 'Language of the content, ISO 639-1: `fr` or `en`.' })
  language!: string;
}

@ObjectType('Company', {
  simpleResolvers: true,
  description: 'A company as it stands in one media.',
})
export class CompanyType {
  /** What the resolver of this field reads the history by. */
  history!: ShownHistory;
  /** The ids by which the resolvers of these fields find the records; payloads that 1.0.0 stored lack them. */
  sizeReference?: string | null;
  sectorReferences?: string[];

  @Field(() => ID, { description: 'Its 24-hex id.' })
  id!: string;

  @Field(() => String, { description: 'Its name.' })
  name!: string;

  @Field(() => String, { description: 'Its readable id, which never changes.' })
  publicId!: string;

  @Field(() => String, { nullable: true, description: 'Its web domain, as given; null when never set.' })
  domainUrl!: string | null;

  @Field(() => ID, { nullable: true, description: 'Id of its size record; null when never set.' })
  size!: string | null;

  @Field(() => [ID], { description: 'Ids of its sector records.' })
  sectors!: string[];

  @Field(() => [String], {
    description: 'Public ids of the media that it is in, as far as they are within the caller’s reach.',
  })
  mediaPublicIds!: string[];

  @Field(() => CompanyContentType, { description: 'What it says of itself.' })
  content!: CompanyContentType;

  @Field(() => Boolean, { description: 'Whether it is published inside the media.' })
  isPublished!: boolean;

  @Field(() => Boolean, { description: 'Whether its dedicated page is published.' })
  isVmePagePublished!: boolean;

  @Field(() => GraphQLISODateTime, {
    nullable: true,
    description: 'When it last changed, UTC; null when it never did.',
  })
  updatedAt!: Date | null;

  @Field(() => Int, { description: 'Raised by one at each change.' })
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
    description: 'Public id of the company. Without it, domainUrl, then name, tells which company is meant.',
  })
  companyPublicId?: string | null;

  @Field(() => GraphQLUpload, {
    nullable: true,
    description: `PNG, JPEG, WebP or GIF by content, at most ${maxSidePixels} pixels a side and, unless the gateway sets another size, 5 MiB. It wins over logoUrl.`,
  })
  // receiveLogo has read the file before the resolver sees it.
  logo?: Promise<HeldFile> | null;
}

addFields(UpdateCompanyInput, companyFields, {});

@ObjectType('UpdateCompanyPayload', { simpleResolvers: true, description: 'What updateCompany answers.' })
export class UpdateCompanyPayload {
  @Field(() => CompanyType, { description: 'The whole company after the update.' })
  company!: CompanyType;

  @Field(() => [WarningType], { nullable: true, description: 'Null when there are none.' })
  warnings!: WarningType[] | null;
}
