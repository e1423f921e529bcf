import 'reflect-metadata';
import { GraphQLUpload } from 'graphql-upload-minimal';
import { Field, InputType, ObjectType } from 'type-graphql';
import { absentNullOrEmpty, addFields, buildObjectType, PublicId } from '../fields/field.graphql.js';
import { WarningType } from '../fields/warning.graphql.js';
import { type ViewOf } from '../fields/row.rules.js';
import { company, companyFields } from './company-fields.rules.js';
import { maxSidePixels } from './logo/logo-image.js';
import { type HeldFile } from './logo/logo-intake.js';

export const CompanyType = buildObjectType('Company', company);
export type CompanyType = ViewOf<typeof company.fields>;

@InputType('UpdateCompanyInput', { description: absentNullOrEmpty('the name') })
export class UpdateCompanyInput {
  @PublicId('Public id of the media.')
  mediaPublicId!: string;

  @PublicId('Public id of the company. If absent, the company is found by its domain, then by its name.', {
    nullable: true,
  })
  companyPublicId?: string | null;

  @Field(() => GraphQLUpload, {
    nullable: true,
    description: `A PNG, JPEG, WebP or GIF image, recognised by its content. At most ${maxSidePixels} pixels a side and, by default, 5 MiB. Takes precedence over the URL of a logo. Null is an error: a null URL clears the logo.`,
  })
  // receiveLogo reads the file before the resolver runs.
  logo?: Promise<HeldFile> | null;
}

addFields(UpdateCompanyInput, companyFields);

@ObjectType('UpdateCompanyPayload', { simpleResolvers: true, description: 'The result of updateCompany.' })
export class UpdateCompanyPayload {
  @Field(() => CompanyType, { description: 'The company after the update.' })
  company!: CompanyType;

  @Field(() => [WarningType], { description: 'Warnings; empty if there are none.' })
  warnings!: WarningType[];
}
