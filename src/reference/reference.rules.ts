import { type ReferenceView } from '../fields/reference-snapshot.js';
import { field, localisedText, type RowsFor } from '../fields/row.rules.js';

/** For callers. */
export const referenceOrder =
  'Sorted by the rank that an operator gave; then by the number that the English name begins with; then by name in the requested language.';

/** As a job or a company shows it. */
export const referenceRows = {
  id: field(null),
  publicId: field('public_id'),
  name: field('name'),
  names: field(null, { of: localisedText }),
  parentPublicId: field(null),
} satisfies RowsFor<ReferenceView>;
