import 'reflect-metadata';
import { Field, ID, ObjectType } from 'type-graphql';
import { NodeType } from '../fields/field.graphql.js';
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
