import { type ReferenceKind } from '../fields/reference-snapshot.js';

/** The values of schema.org's `employmentType`. */
const employmentTypes = [
  'FULL_TIME',
  'PART_TIME',
  'CONTRACTOR',
  'TEMPORARY',
  'INTERN',
  'VOLUNTEER',
  'PER_DIEM',
  'OTHER',
];

/** The values of `credentialCategory` that Google reads. */
const credentialCategories = [
  'high school',
  'associate degree',
  'bachelor degree',
  'postgraduate degree',
  'professional certificate',
];

/** The maximum experience that a reference can stand for: 50 years. */
export const mostMonths = 600;

/** The allowed `schema_org` values. A kind without an entry allows none. */
export const schemaOrgValues: Readonly<Partial<Record<ReferenceKind, readonly string[] | 'months'>>> = {
  contract: employmentTypes,
  worktime: employmentTypes,
  remote: ['TELECOMMUTE'],
  education: credentialCategories,
  experience: 'months',
};
