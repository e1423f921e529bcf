import 'reflect-metadata';
import { ArgsType, Field, Int } from 'type-graphql';
import { largestPage } from '../paging/page.js';
import { connectionType, PageArguments } from '../paging/page.graphql.js';
import { MediaType } from './media.graphql.js';

export const MediaConnectionType = connectionType('Media', MediaType, {
  page: 'A page of media, by public id.',
  items: 'The media.',
  edge: 'A media and its place in the list.',
  item: 'The media.',
});

export const defaultMedia = 10;

@ArgsType()
export class MediaArguments extends PageArguments {
  @Field(() => Int, {
    nullable: true,
    defaultValue: defaultMedia,
    description: `Page size, 1 to ${largestPage}. Null means the default.`,
  })
  declare first: number | null;
}
