import { ArgsType, Field, ObjectType } from 'type-graphql';
import { PageArguments, PageInfoType } from '../content/page.types.js';
import { CompanyType } from './company.types.js';

@ArgsType()
export class CompanyListArguments extends PageArguments {
  @Field(() => String, { description: 'Public id of the media.' })
  mediaPublicId!: string;

  @Field(() => String, {
    nullable: true,
    description: 'Only those with this text in their name, whatever the case.',
  })
  name?: string | null;
}

@ObjectType('CompanyEdge', { simpleResolvers: true, description: 'A company and where it is in the list.' })
class CompanyEdgeType {
  @Field(() => String, { description: 'For `after`.' })
  cursor!: string;

  @Field(() => CompanyType, { description: 'The company.' })
  node!: CompanyType;
}

@ObjectType('CompanyConnection', { simpleResolvers: true, description: 'A page of companies, by public id.' })
export class CompanyConnectionType {
  @Field(() => [CompanyEdgeType], { description: 'The companies.' })
  edges!: CompanyEdgeType[];

  @Field(() => PageInfoType, { description: 'Where the page is.' })
  pageInfo!: PageInfoType;
}
