import 'reflect-metadata';
import { GraphQLUpload } from 'graphql-upload-minimal';
import { Field, InputType } from 'type-graphql';
import { absentNullOrEmpty, inputField, PublicId } from '../fields/field.graphql.js';
import { type Nullable } from '../fields/field-reader.rules.js';
import { type InputNames } from '../fields/row.rules.js';
import { companyFields, type companyRows } from './company-fields.rules.js';
import { maxSidePixels } from './logo/logo-image.js';
import { type HeldFile } from './logo/logo-intake.js';

const CompanyField = inputField<InputNames<typeof companyRows>>(companyFields);

@InputType('UpdateCompanyInput', { description: absentNullOrEmpty('the name') })
export class UpdateCompanyInput implements Record<InputNames<typeof companyRows>, unknown> {
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

  @CompanyField name!: Nullable<string>;
  @CompanyField domainUrl!: Nullable<string>;
  @CompanyField sectorIds!: Nullable<string[]>;
  @CompanyField sizeId!: Nullable<string>;
  @CompanyField description!: Nullable<string>;
  @CompanyField logoUrl!: Nullable<string>;
}
