import { type Language } from '../errors/catalogue.js';
import { excerpt } from '../errors/excerpt.js';
import { choiceEnum, objectType } from './field.types.js';
import { field, type Parts } from './row.rules.js';
import { type Warning, warningMessages } from './warning.js';

type WarningCode = Warning['code'];
const codes = Object.keys(warningMessages) as WarningCode[];

const WarningCodeEnum = choiceEnum<WarningCode>(
  'WarningCode',
  'What was not applied, or changed. REST writes the codes with hyphens.',
  Object.fromEntries(codes.map((code) => [code, warningMessages[code].en])) as Record<WarningCode, string>,
);

export interface WarningType extends Warning {
  message: string;
}

export const warning = {
  description: 'A part of the request that was accepted but not applied, or changed before it was stored.',
  fields: {
    code: field('WarningCode!', 'What was not applied, or changed.', 'code'),
    field: field('String!', 'The input field.', 'field'),
    message: field('String!', 'A sentence in the requested language.', 'message'),
  } satisfies Parts<WarningType>,
};
export const WarningType = objectType('Warning', warning, { WarningCode: WarningCodeEnum });

/** Someone who sends more has not just mistyped a name. */
const mostUnknownFields = 20;

/**
 * Adds a warning for each unknown field, up to the limit (Contract 4.3.4). The payload stores its warnings, so a repeated call gets the
 * warnings of the first call (Contract 9.3.1).
 */
export function toWarnings(
  warnings: readonly Warning[],
  { language, unknownFields }: { language: Language; unknownFields: readonly string[] },
): WarningType[] {
  const ignored = unknownFields
    .slice(0, mostUnknownFields)
    .map((field): Warning => ({ code: 'unknown-field', field: excerpt(field) }));
  return [...warnings, ...ignored].map(({ code, field }) => ({
    code,
    field,
    message: warningMessages[code][language],
  }));
}
