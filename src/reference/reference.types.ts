import { Field, ID, ObjectType } from 'type-graphql';
import { choiceEnum, LocalisedTextType } from '../fields/field.types.js';
import { type ReferenceKind } from '../fields/reference-book.js';
import { type Language, type LocalisedText } from '../errors/catalogue.js';

export const ReferenceKindEnum = choiceEnum<ReferenceKind>(
  'ReferenceKind',
  'What a reference record classifies.',
  {
    contract: 'Kind of contract.',
    worktime: 'Work time.',
    remote: 'Remote-work policy.',
    education: 'Required education.',
    experience: 'Required experience.',
    size: 'Size of a company.',
    sector: 'Sector of a company.',
    job_category: 'Job category. Can be part of a wider category.',
  },
);

@ObjectType('Reference', {
  simpleResolvers: true,
  description: 'A record that classifies jobs or companies, or an office of a company.',
})
export class ReferenceType {
  @Field(() => ID, { description: 'Id, 24 hexadecimal digits.' })
  id!: string;

  @Field(() => String, { description: 'Readable id. Never changes.' })
  publicId!: string;

  @Field(() => String, { description: 'Name in the requested language, by default English.' })
  name!: string;

  @Field(() => LocalisedTextType, { description: 'Name in both languages.' })
  names!: LocalisedTextType;

  @Field(() => String, {
    nullable: true,
    description: 'Public id of the wider job category; null if none.',
  })
  parentPublicId!: string | null;
}

/** Replies that version 1.1.0 stored for repeated calls lack `schemaOrg`. */
export interface PostedReference extends ReferenceType {
  schemaOrg?: string | number | null;
}

interface Named {
  _id: { toHexString(): string };
  publicId: string;
  name: LocalisedText;
  parent?: string | null;
  schemaOrg?: string | number | null;
}

export const toReference = (
  { _id, publicId, name, parent = null, schemaOrg = null }: Named,
  language: Language,
): PostedReference => ({
  id: _id.toHexString(),
  publicId,
  name: name[language],
  names: name,
  parentPublicId: parent,
  schemaOrg,
});
