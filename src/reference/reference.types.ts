import { Field, ID, ObjectType } from 'type-graphql';
import { choiceEnum, LocalisedTextType } from '../content/field.types.js';
import { type ReferenceKind } from '../content/reference-book.js';
import { type Language, type LocalisedText } from '../errors/catalogue.js';

/** The kinds as GraphQL names them. */
export const ReferenceKindEnum = choiceEnum<ReferenceKind>(
  'ReferenceKind',
  'What a reference record classifies.',
  {
    contract: 'The kind of contract of a job.',
    worktime: 'The work time of a job.',
    remote: 'How far a job can be done from elsewhere.',
    education: 'The level of education that a job asks for.',
    experience: 'The experience that a job asks for.',
    size: 'The size of a company.',
    sector: 'The sector of a company.',
    job_category: 'The category of a job, which may lie within a wider one.',
  },
);

@ObjectType('Reference', {
  simpleResolvers: true,
  description: 'A classification record, or an office of the company.',
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

/** A reference with what a job's posting says of it, which payloads that 1.1.0 stored lack. */
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

/** A reference record or an office as GraphQL shows it. */
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
