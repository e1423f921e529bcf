import { type Language, type LocalisedText } from './catalogue.js';
import { documentedName } from './documented-name.js';
import { visibleExcerpt } from './excerpt.js';

/** One thing wrong with one field of a request (Contract 7.3). All faults of a request are reported together. */
export interface FieldFault {
  /** The field as the inputs of GraphQL spell it, `mediaPublicId`; REST translates it. */
  field: string;
  /**
   * `missing-{field}`, `{field}-must-be-{type}`, `{field}-format-error`, `{field}-too-long` or `{field}-not-found`, with the
   * documented field: `missing-media_public_id`.
   */
  code: string;
  /** Whether the field is an argument beside the input, rather than in it. */
  isArgument?: true;
  message: LocalisedText;
}

/** The kinds of fault, each made with its code and its message in both languages (Contract 7.3). */
export const fieldFault = {
  missing: (field: string): FieldFault =>
    fault(field, (name) => `missing-${name}`, { en: 'is required', fr: 'est obligatoire' }),
  mustBe: (field: string, type: keyof typeof typeNames): FieldFault =>
    fault(field, (name) => `${name}-must-be-${type}`, {
      en: `must be ${typeNames[type].en}`,
      fr: `doit être ${typeNames[type].fr}`,
    }),
  format: (field: string, expected: LocalisedText): FieldFault =>
    fault(field, (name) => `${name}-format-error`, {
      en: `must be ${expected.en}`,
      fr: `doit être ${expected.fr}`,
    }),
  oneOf: (field: string, choices: readonly string[]): FieldFault => {
    const list = choices.join(', ');
    return fieldFault.format(field, { en: `one of ${list}`, fr: `l’une de ces valeurs : ${list}` });
  },
  tooLong: (field: string, maximum: number, unit: LocalisedText = characters): FieldFault =>
    fault(field, (name) => `${name}-too-long`, {
      en: `must have at most ${maximum} ${unit.en}`,
      fr: `doit avoir au plus ${maximum} ${unit.fr}`,
    }),
  /** @param ids of a list, those that name none */
  notFound: (field: string, ids: readonly string[] = []): FieldFault => {
    const which = visibleExcerpt(ids.join(', '));
    return fault(field, (name) => `${name}-not-found`, {
      en: `names no known record${which ? `: ${which}` : ''}`,
      fr: `ne désigne aucun enregistrement connu${which ? ` : ${which}` : ''}`,
    });
  },
};

function fault(field: string, code: (name: string) => string, says: LocalisedText): FieldFault {
  const name = documentedName(field);
  return { field, code: code(name), message: { en: `${name} ${says.en}.`, fr: `${name} ${says.fr}.` } };
}

/** A fault as REST and imports tell it: by the documented name of its field, in one language. */
export const documentedFault = ({ field, code, message }: FieldFault, language: Language) => ({
  field: documentedName(field),
  code,
  message: message[language],
});

/** The fault of a field that is an argument beside the input. */
export const onArgument = (given: FieldFault): FieldFault => ({ ...given, isArgument: true });

const characters = { en: 'characters', fr: 'caractères' };

/** The kinds of value that a field may have to be. */
export const typeNames = {
  string: { en: 'a string', fr: 'une chaîne de caractères' },
  'array-of-strings': { en: 'a list of strings', fr: 'une liste de chaînes de caractères' },
  decimal: { en: 'a decimal number', fr: 'un nombre décimal' },
  file: {
    en: 'a file, sent in a body of multipart/form-data',
    fr: 'un fichier, envoyé dans un corps multipart/form-data',
  },
};
