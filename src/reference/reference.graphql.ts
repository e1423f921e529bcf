import 'reflect-metadata';
import { Field, ID, ObjectType } from 'type-graphql';
import { LocalisedTextType } from '../fields/field.graphql.js';
import { type ReferenceView } from '../fields/reference-snapshot.js';

@ObjectType('Reference', {
  simpleResolvers: true,
  description: 'A record that classifies jobs or companies.',
})
export class ReferenceType implements ReferenceView {
  @Field(() => ID, { description: 'Id, 24 hexadecimal digits.' })
  id!: string;

  @Field(() => String, { description: 'Readable id. Never changes.' })
  publicId!: string;

  @Field(() => String, { description: 'Name in the requested language, by default English.' })
  name!: string;

  @Field(() => LocalisedTextType, { description: 'Name in both languages.' })
  names!: LocalisedTextType;

  @Field(() => String, { nullable: true, description: 'Public id of the wider job category; null if none.' })
  parentPublicId!: string | null;
}
