import 'reflect-metadata';
import { type Language } from '../errors/catalogue.js';
import { Field, GraphQLISODateTime, ID, Int, ObjectType } from 'type-graphql';
import { LanguageEnum, NodeType } from '../fields/field.graphql.js';
import { WarningType } from '../fields/warning.graphql.js';
import { type ViewOf } from '../fields/row.rules.js';
import { type HistoryPosition } from '../history/history-entry.js';
import { type companyRows } from './company-fields.rules.js';

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

  @Field(() => LanguageEnum, { description: 'Language of the content.' })
  language!: Language;
}

@ObjectType('Company', {
  simpleResolvers: true,
  implements: NodeType,
  description: 'A company, as one media shows it.',
})
export class CompanyType extends NodeType implements ViewOf<typeof companyRows> {
  @Field(() => ID, {
    description:
      'Id in the whole graph. In each of its media, a company has another, because its flags can differ.',
  })
  declare id: string;

  @Field(() => ID, { description: 'Id of the company, 24 hexadecimal digits, the same in all its media.' })
  recordId!: string;

  @Field(() => String, { description: 'Name of the company.' })
  name!: string;

  @Field(() => String, { description: 'Readable id of the company. Never changes.' })
  publicId!: string;

  @Field(() => ID, { nullable: true, description: 'Id of the size record; null if never set.' })
  size!: string | null;

  @Field(() => [ID], { description: 'Ids of the sector records.' })
  sectors!: string[];

  @Field(() => CompanyContentType, { description: 'How the company presents itself.' })
  content!: CompanyContentType;

  @Field(() => Boolean, { description: 'Whether the company is published in the media.' })
  isPublished!: boolean;

  @Field(() => Boolean, { description: 'Whether the company’s dedicated page is published.' })
  isVmePagePublished!: boolean;

  @Field(() => String, { nullable: true, description: 'Web domain as given; null if never set.' })
  domainUrl!: string | null;

  @Field(() => String, { description: 'Public id of the media that shows the company.' })
  mediaPublicId!: string;

  @Field(() => [String], { description: 'Public ids of the company’s media within the caller’s reach.' })
  mediaPublicIds!: string[];

  @Field(() => GraphQLISODateTime, {
    description: 'Time of the last change or, if there was none, of the creation, UTC.',
  })
  updatedAt!: Date;

  @Field(() => Int, { description: 'Goes up by one with each change.' })
  version!: number;

  @Field(() => Boolean, {
    description: 'Whether the caller may update the company: its role, scope and reach allow it.',
  })
  viewerCanUpdate!: boolean;

  // The resolvers show these four.
  sizeReference!: string | null;
  sectorReferences!: string[];
  jobs!: { companyPublicId: string; mediaPublicId: string };
  history!: HistoryPosition;
}

@ObjectType('UpdateCompanyPayload', { simpleResolvers: true, description: 'The result of updateCompany.' })
export class UpdateCompanyPayload {
  @Field(() => CompanyType, { description: 'The company after the update.' })
  company!: CompanyType;

  @Field(() => [WarningType], { description: 'Warnings; empty if there are none.' })
  warnings!: WarningType[];
}
