import { type Language } from './catalogue.js';

/** One thing wrong with one field of a request (Contract 7.3). All faults of a request are reported together. */
export interface FieldFault {
  /** The documented request field, as REST spells it: `media_public_id`. */
  field: string;
  /** `missing-{field}`, `{field}-must-be-{type}`, `{field}-format-error`, `{field}-too-long` or `{field}-not-found`. */
  code: string;
  /** Whether the field is an argument beside the input, rather than in it. */
  isArgument?: true;
  message: Record<Language, string>;
}

/** The five kinds of fault, each made with its code and its message in both languages (Contract 7.3). */
export const fieldFault = {
  missing: (field: string): FieldFault => ({
    field,
    code: `missing-${field}`,
    message: { en: `${field} is required.`, fr: `${field} est obligatoire.` },
  }),
  mustBe: (field: string, type: 'string' | 'array-of-strings' | 'file'): FieldFault => ({
    field,
    code: `${field}-must-be-${type}`,
    message: {
      en: `${field} must be ${typeNames[type].en}.`,
      fr: `${field} doit être ${typeNames[type].fr}.`,
    },
  }),
  format: (field: string, expected: Record<Language, string>): FieldFault => ({
    field,
    code: `${field}-format-error`,
    message: { en: `${field} must be ${expected.en}.`, fr: `${field} doit être ${expected.fr}.` },
  }),
  tooLong: (field: string, maximum: number, unit: Record<Language, string> = characters): FieldFault => ({
    field,
    code: `${field}-too-long`,
    message: {
      en: `${field} must have at most ${maximum} ${unit.en}.`,
      fr: `${field} doit avoir au plus ${maximum} ${unit.fr}.`,
    },
  }),
  notFound: (field: string): FieldFault => ({
    field,
    code: `${field}-not-found`,
    message: { en: `${field} names no known record.`, fr: `${field} ne désigne aucun enregistrement connu.` },
  }),
};

/** The fault of a field that is an argument beside the input. */
export const onArgument = (fault: FieldFault): FieldFault => ({ ...fault, isArgument: true });

const characters = { en: 'characters', fr: 'caractères' };

const typeNames = {
  string: { en: 'a string', fr: 'une chaîne de caractères' },
  'array-of-strings': { en: 'a list of strings', fr: 'une liste de chaînes de caractères' },
  file: { en: 'a file', fr: 'un fichier' },
};
