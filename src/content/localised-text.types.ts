import { Field, ObjectType } from 'type-graphql';

@ObjectType('LocalisedText', { simpleResolvers: true, description: 'A text in both languages.' })
export class LocalisedTextType {
  @Field(() => String, { description: 'In English.' })
  en!: string;

  @Field(() => String, { description: 'In French.' })
  fr!: string;
}
