import { ArgsType, Field } from 'type-graphql';
import { connectionType, PageArguments } from '../content/page.types.js';
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

export const CompanyConnectionType = connectionType('Company', CompanyType, {
  page: 'A page of companies, by public id.',
  items: 'The companies.',
  edge: 'A company and where it is in the list.',
  item: 'The company.',
});
