import { type Language, type LocalisedText } from '../errors/catalogue.js';
import { localisedText, part, type Parts } from '../fields/row.rules.js';

interface Named {
  _id: { toHexString(): string };
  publicId: string;
  name: LocalisedText;
  parent?: string | null;
  schemaOrg?: string | number | null;
}

export interface ReferenceType {
  id: string;
  publicId: string;
  name: string;
  names: LocalisedText;
  parentPublicId: string | null;
}

/** Replies that version 1.1.0 stored for repeated calls lack `schemaOrg`. */
export interface PostedReference extends ReferenceType {
  schemaOrg?: string | number | null;
}

/** As a job or a company shows it. */
export const reference = {
  description: 'A record that classifies jobs or companies.',
  fields: {
    id: part('ID!', 'Id, 24 hexadecimal digits.', null),
    publicId: part('String!', 'Readable id. Never changes.', 'public_id'),
    name: part('String!', 'Name in the requested language, by default English.', 'name'),
    names: part('LocalisedText!', 'Name in both languages.', { rest: null, of: localisedText }),
    parentPublicId: part('String', 'Public id of the wider job category; null if none.', null),
  } satisfies Parts<ReferenceType>,
};

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
