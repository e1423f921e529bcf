import { type ReferenceView } from '../fields/reference-snapshot.js';
import { field, localisedText, type RowsFor } from '../fields/row.rules.js';

/** For callers. */
export const referenceOrder =
  'Sorted by the rank that an operator gave; then by the number that the English name begins with; then by name in the requested language.';

/** As a job or a company shows it. */
export const reference = {
  description: 'A record that classifies jobs or companies.',
  fields: {
    id: field('ID!', 'Id, 24 hexadecimal digits.', null),
    publicId: field('String!', 'Readable id. Never changes.', 'public_id'),
    name: field('String!', 'Name in the requested language, by default English.', 'name'),
    names: field('LocalisedText!', 'Name in both languages.', null, { of: localisedText }),
    parentPublicId: field('String', 'Public id of the wider job category; null if none.', null),
  } satisfies RowsFor<ReferenceView>,
};
