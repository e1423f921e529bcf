import 'reflect-metadata';
import { ArgsType, Field, ID, Int, ObjectType } from 'type-graphql';
import { NodeType } from '../fields/field.graphql.js';
import { largestPage } from '../paging/page.js';
import { connectionType, PageArguments } from '../paging/page.graphql.js';
import { type MediaView } from './media.rules.js';

@ObjectType('Media', { simpleResolvers: true, implements: NodeType, description: 'A recruitment site.' })
export class MediaType extends NodeType implements MediaView {
  @Field(() => ID, { description: 'Id of the media in the whole graph.' })
  declare id: string;

  @Field(() => String, { description: 'Readable id. Never changes.' })
  publicId!: string;

  @Field(() => String, { description: 'Name of the media.' })
  name!: string;
}

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
