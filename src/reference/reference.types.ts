import { choiceEnum, objectType } from '../fields/field.types.js';
import { type ReferenceKind, type ReferenceType as Shown } from '../fields/reference-book.js';
import { reference } from './reference.rules.js';

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

export const ReferenceType = objectType('Reference', reference);
export type ReferenceType = Shown;
