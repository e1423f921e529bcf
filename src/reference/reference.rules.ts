import { type Language } from '../errors/catalogue.js';
import { type ReferenceRecord } from '../fields/reference-book.js';
import { field, localisedText, type Parts } from '../fields/row.rules.js';

/** `schemaOrg` is for the posting of a job. */
export const toReference = (
  { _id, publicId, name, parent, schemaOrg = null }: ReferenceRecord,
  language: Language,
) => ({
  id: _id.toHexString(),
  publicId,
  name: name[language],
  names: name,
  parentPublicId: parent,
  schemaOrg,
});

/** Replies that version 1.1.0 stored for repeated calls lack `schemaOrg`. */
export type PostedReference = ReferenceType & Partial<ReturnType<typeof toReference>>;
export type ReferenceType = Omit<ReturnType<typeof toReference>, 'schemaOrg'>;

/** As a job or a company shows it. */
export const reference = {
  description: 'A record that classifies jobs or companies.',
  fields: {
    id: field('ID!', 'Id, 24 hexadecimal digits.', null),
    publicId: field('String!', 'Readable id. Never changes.', 'public_id'),
    name: field('String!', 'Name in the requested language, by default English.', 'name'),
    names: field('LocalisedText!', 'Name in both languages.', null, { of: localisedText }),
    parentPublicId: field('String', 'Public id of the wider job category; null if none.', null),
  } satisfies Parts<ReferenceType>,
};
