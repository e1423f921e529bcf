import { type ReferenceKind } from '../content/reference-book.js';

/** The work time or contract of a job, as schema.org's `employmentType` takes it. */
const employmentTypes = [
  'FULL_TIME',
  'PART_TIME',
  'CONTRACTOR',
  'TEMPORARY',
  'INTERN',
  'VOLUNTEER',
  'PER_DIEM',
  'OTHER',
] as const;

/** The levels of education that Google reads in `credentialCategory`. */
const credentialCategories = [
  'high school',
  'associate degree',
  'bachelor degree',
  'postgraduate degree',
  'professional certificate',
] as const;

/** The most months of experience that a reference can stand for: 50 years. */
export const mostMonths = 600;

/** The values that `schema_org` takes in a reference of each kind (Contract 2.4.4). A kind without a row takes none. */
export const schemaOrgValues: Readonly<Partial<Record<ReferenceKind, readonly string[] | 'months'>>> = {
  contract: employmentTypes,
  worktime: employmentTypes,
  remote: ['TELECOMMUTE'],
  education: credentialCategories,
  experience: 'months',
};
