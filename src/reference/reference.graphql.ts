import { choiceEnum, objectType } from '../fields/field.graphql.js';
import { describedKinds, type ShownReference as Shown } from '../fields/reference-snapshot.js';
import { reference } from './reference.rules.js';

export const ReferenceKindEnum = choiceEnum(
  'ReferenceKind',
  'What a reference record classifies.',
  describedKinds,
);

export const ReferenceType = objectType('Reference', reference);
export type ReferenceType = Shown;
