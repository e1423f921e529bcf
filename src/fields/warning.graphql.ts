import { choiceEnum, buildObjectType } from './field.graphql.js';
import { field, type RowsFor } from './row.rules.js';
import { type WarningView } from './warning.js';

const WarningCodeEnum = choiceEnum(
  'WarningCode',
  'What was not applied, or changed. REST writes the codes with hyphens.',
);

export const warning = {
  description: 'A part of the request that was accepted but not applied, or changed before it was stored.',
  fields: {
    code: field('WarningCode!', 'What was not applied, or changed.', 'code'),
    field: field('String!', 'The input field.', 'field'),
    message: field('String!', 'A sentence in the requested language.', 'message'),
  } satisfies RowsFor<WarningView>,
};
export const WarningType = buildObjectType('Warning', warning, { WarningCode: WarningCodeEnum });
export type WarningType = WarningView;
