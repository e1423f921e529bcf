import { type Language, type LocalisedText } from './catalogue.js';
import { documentedName } from './documented-name.js';
import { visibleExcerpt } from './excerpt.js';

/** A fault of one field. A reply reports all faults of a request (Contract 7.3). */
export interface FieldFault {
  /** The GraphQL name, such as `mediaPublicId`. */
  field: string;
  /** Contains the REST name of the field, as in `missing-media_public_id`. */
  code: string;
  /** Set for an argument next to `input`. */
  isArgument?: true;
  message: LocalisedText;
}

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
      fr: `ne doit pas dépasser ${maximum} ${unit.fr}`,
    }),
  /** @param ids for a list field: the ids that match no record */
  notFound: (field: string, ids: readonly string[] = []): FieldFault => {
    const which = visibleExcerpt(ids.join(', '));
    return fault(field, (name) => `${name}-not-found`, {
      en: `does not match any record${which ? `: ${which}` : ''}`,
      fr: `ne correspond à aucun enregistrement${which ? ` : ${which}` : ''}`,
    });
  },
};

function fault(field: string, code: (name: string) => string, says: LocalisedText): FieldFault {
  const name = documentedName(field);
  return { field, code: code(name), message: { en: `${name} ${says.en}.`, fr: `${name} ${says.fr}.` } };
}

/** A fault as the import and REST report it. */
export const documentedFault = ({ field, code, message }: FieldFault, language: Language) => ({
  field: documentedName(field),
  code,
  message: message[language],
});

export const onArgument = (given: FieldFault): FieldFault => ({ ...given, isArgument: true });

const characters = { en: 'characters', fr: 'caractères' };

/** The types in `{field}-must-be-{type}`, with their names in messages. */
export const typeNames = {
  string: { en: 'a string', fr: 'une chaîne de caractères' },
  'array-of-strings': { en: 'a list of strings', fr: 'une liste de chaînes de caractères' },
  decimal: { en: 'a decimal number', fr: 'un nombre décimal' },
  file: {
    en: 'a file, sent as multipart/form-data',
    fr: 'un fichier, envoyé en multipart/form-data',
  },
};
