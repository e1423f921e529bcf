import 'reflect-metadata';
import { ArgsType, Field, InputType } from 'type-graphql';
import { choiceEnum } from '../fields/field.graphql.js';
import {
  addFilters,
  connectionType,
  listOrders,
  NameFilter,
  PageArguments,
  sortOptions,
} from '../paging/page.graphql.js';
import { companyFilters } from './company-list.js';
import { CompanyType } from './company.graphql.js';

type CompanySort = keyof typeof listOrders;

const CompanySortEnum = choiceEnum('CompanySort', 'The order of a list of companies.', listOrders);

@InputType('CompanyFilter', {
  description:
    'Narrows a list of companies to those that match every field. Null does not narrow, and nothing matches an empty list.',
})
export class CompanyFilterInput extends NameFilter {
  @Field(() => Boolean, {
    nullable: true,
    description: 'Only companies that are published in the media, or only those that are not.',
  })
  isPublished?: boolean | null;
}

addFilters(CompanyFilterInput, companyFilters);

@ArgsType()
export class CompanyListArguments extends PageArguments {
  @Field(() => CompanyFilterInput, { nullable: true, description: 'Null means all companies.' })
  filter?: CompanyFilterInput | null;

  @Field(() => CompanySortEnum, sortOptions)
  sort!: CompanySort | null;
}

export const CompanyConnectionType = connectionType('Company', CompanyType, {
  page: 'A page of companies.',
  items: 'The companies.',
  edge: 'A company and its cursor in the list.',
  item: 'The company.',
});
