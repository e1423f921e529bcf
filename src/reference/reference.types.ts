import { Field, ID, ObjectType, registerEnumType } from 'type-graphql';
import { LocalisedTextType } from '../content/localised-text.types.js';
import { type Language, type LocalisedText } from '../errors/catalogue.js';
import { referenceKinds } from './reference.model.js';

/** The kinds as GraphQL names them. */
export const ReferenceKindEnum = Object.fromEntries(referenceKinds.map((kind) => [kind, kind]));
registerEnumType(ReferenceKindEnum, {
  name: 'ReferenceKind',
  description: 'What a reference record classifies (Contract 2.4).',
});

@ObjectType('Reference', {
  simpleResolvers: true,
  description: 'A classification record, or an office of the company (Contract 2.2, 2.4).',
})
export class ReferenceType {
  @Field(() => ID, { description: 'Its 24-hex id.' })
  id!: string;

  @Field(() => String, { description: 'Its readable id, which never changes.' })
  publicId!: string;

  @Field(() => String, { description: 'Its name in the language asked for: English unless French is.' })
  name!: string;

  @Field(() => LocalisedTextType, { description: 'Its name in both languages.' })
  names!: LocalisedTextType;

  @Field(() => String, {
    nullable: true,
    description:
      'Public id of the wider category that a job category belongs to; null for every other record.',
  })
  parentPublicId!: string | null;
}

interface Named {
  _id: { toHexString(): string };
  publicId: string;
  name: LocalisedText;
  parent?: string | null;
}

/** A reference record or an office as GraphQL shows it. */
export const toReference = (
  { _id, publicId, name, parent = null }: Named,
  language: Language,
): ReferenceType => ({
  id: _id.toHexString(),
  publicId,
  name: name[language],
  names: name,
  parentPublicId: parent,
});
