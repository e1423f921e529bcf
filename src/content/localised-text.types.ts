import { Field, ObjectType } from 'type-graphql';
import { type LocalisedText } from '../errors/catalogue.js';

@ObjectType('LocalisedText', { simpleResolvers: true, description: 'A text in both languages.' })
export class LocalisedTextType implements LocalisedText {
  @Field(() => String, { description: 'In English.' })
  en!: string;

  @Field(() => String, { description: 'In French.' })
  fr!: string;
}
