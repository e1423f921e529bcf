import { choiceEnum, objectType } from './field.graphql.js';
import { field, type Parts } from './row.rules.js';
import { type Warning, warningMessages, type WarningView } from './warning.js';

type WarningCode = Warning['code'];
const codes = Object.keys(warningMessages) as WarningCode[];

const WarningCodeEnum = choiceEnum<WarningCode>(
  'WarningCode',
  'What was not applied, or changed. REST writes the codes with hyphens.',
  Object.fromEntries(codes.map((code) => [code, warningMessages[code].en])) as Record<WarningCode, string>,
);

export const warning = {
  description: 'A part of the request that was accepted but not applied, or changed before it was stored.',
  fields: {
    code: field('WarningCode!', 'What was not applied, or changed.', 'code'),
    field: field('String!', 'The input field.', 'field'),
    message: field('String!', 'A sentence in the requested language.', 'message'),
  } satisfies Parts<WarningView>,
};
export const WarningType = objectType('Warning', warning, { WarningCode: WarningCodeEnum });
export type WarningType = WarningView;
