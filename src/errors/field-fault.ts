import {
  catalogue,
  type ErrorCode,
  type FaultReason,
  type Language,
  type LocalisedText,
} from './catalogue.js';
import { snakeCase } from './snake-case.js';
import { visibleExcerpt } from './messages.js';

/** The numbers, instants and choices that the message of a fault speaks of, such as `maximumLength`. */
export type Parameters = Readonly<Record<string, number | string | readonly string[]>>;

/** A fault of one field. A reply reports all faults of a request. */
export interface FieldFault {
  /** The GraphQL name, such as `mediaPublicId`; for a part of an object, its name in the field table. */
  field: string;
  /** Contains the REST name of the field, as in `missing-media_public_id`. */
  code: string;
  reason: FaultReason;
  /** Where the GraphQL input has the field. Default: at its top, by its name. Empty: the whole operation is at fault. */
  path?: readonly string[];
  /** Set for an argument next to `input`. */
  isArgument?: true;
  /** The positions of the faulty elements of a list, from 0. */
  elements?: readonly number[];
  /** Can stand beside the field's input. */
  message: LocalisedText;
  parameters?: Parameters | undefined;
}

/** The names that people use for the choices of a field. */
export type Labels = Readonly<Record<string, LocalisedText>>;

/** The sentence that asks for what a field expects. */
export interface Expected extends LocalisedText {
  parameters?: Parameters;
}

/** The things that a bound counts. `parameter`: its name if it counts neither the characters of a text nor the members of a list. */
interface Unit extends LocalisedText {
  parameter?: string;
}

/** @param labels what the sentence calls the choices */
export const oneOf = (choices: readonly string[], labels: Labels = {}): Expected => {
  const named = (language: Language, quote: (label: string) => string) =>
    choices.map((choice) => quote(labels[choice]?.[language] ?? choice)).join(', ');
  return {
    en: `Choose one of these: ${named('en', (label) => `“${label}”`)}.`,
    fr: `Choisissez parmi : ${named('fr', (label) => `« ${label} »`)}.`,
    parameters: { allowed: choices },
  };
};

const unknownField = 'unknown-field';

export const fieldFault = {
  missing: (field: string): FieldFault =>
    fault('missing', field, (name) => `missing-${name}`, {
      en: 'This field is required.',
      fr: 'Ce champ est obligatoire.',
    }),
  mustBe: (field: string, type: keyof typeof typeNames): FieldFault =>
    fault('type', field, (name) => `${name}-must-be-${type}`, typeNames[type]),
  /** For null. @param type as over REST, where null has a wrong type */
  notClearable: (field: string, type: keyof typeof typeNames = 'string'): FieldFault => ({
    ...fieldFault.mustBe(field, type),
    reason: 'not_clearable',
    message: notEmpty,
  }),
  format: (field: string, expected: Expected, reason: FaultReason = 'format'): FieldFault =>
    fault(reason, field, (name) => `${name}-format-error`, expected),
  oneOf: (field: string, choices: readonly string[], labels?: Labels): FieldFault =>
    fieldFault.format(field, oneOf(choices, labels)),
  tooLong: (field: string, maximum: number, unit: Unit = characters): FieldFault =>
    over('too_long', field, maximum, { parameter: 'maximumLength', ...unit }),
  /** For a list. */
  tooMany: (field: string, maximum: number, unit: Unit): FieldFault =>
    over('too_many', field, maximum, { parameter: 'maximumItems', ...unit }),
  /** @param ids for a list field: the ids that match no record */
  notFound: (field: string, ids: readonly string[] = []): FieldFault => {
    const which = visibleExcerpt(ids.join(', '));
    const [en, fr] = which ? [`: ${which}`, ` : ${which}`] : ['', ''];
    return fault('not_found', field, (name) => `${name}-not-found`, {
      en: `This choice does not exist${en}.`,
      fr: `Ce choix n’existe pas${fr}.`,
    });
  },
  /** @param name as the caller sent it */
  unknown: (name: string): FieldFault => {
    const message = { en: 'This field is not known here.', fr: 'Ce champ n’est pas connu à cet endroit.' };
    return { field: visibleExcerpt(name), code: unknownField, reason: 'format', message };
  },
  tooLarge: (field: string, maxBytes: number): FieldFault => ({
    field,
    code: 'payload-too-large' satisfies ErrorCode,
    reason: 'too_long',
    message: {
      en: `Choose a file of at most ${sizeOf(maxBytes).en}.`,
      fr: `Choisissez un fichier d’au plus ${sizeOf(maxBytes).fr}.`,
    },
    parameters: { maximumBytes: maxBytes },
  }),
  /** For a refusal with a code of its own, which a field caused. */
  conflict: (field: string, code: ErrorCode): FieldFault => {
    const { message } = catalogue[code];
    return { field, code, reason: 'conflict', message };
  },
};

function over(
  reason: 'too_long' | 'too_many',
  field: string,
  maximum: number,
  unit: Required<Unit>,
): FieldFault {
  return fault(reason, field, (name) => `${name}-too-long`, {
    en: `Enter at most ${inGroups(maximum)} ${unit.en}.`,
    fr: `Saisissez au plus ${inGroups(maximum)} ${unit.fr}.`,
    parameters: { [unit.parameter]: maximum },
  });
}

const fault = (
  reason: FaultReason,
  field: string,
  code: (name: string) => string,
  { parameters, ...message }: Expected,
): FieldFault => ({ field, code: code(snakeCase(field)), reason, message, parameters });

/** `99 999 999`, which both languages read. */
export const inGroups = (number: number): string => String(number).replace(/\B(?=(\d{3})+$)/g, ' ');

/** Written in the largest unit that leaves a whole number: `5 MiB`. */
export function sizeOf(bytes: number): LocalisedText {
  const [size, en, fr] =
    bytes % 2 ** 20 === 0
      ? [bytes / 2 ** 20, 'MiB', 'Mio']
      : bytes % 2 ** 10 === 0
        ? [bytes / 2 ** 10, 'KiB', 'Kio']
        : [bytes, 'bytes', 'octets'];
  return { en: `${inGroups(size)} ${en}`, fr: `${inGroups(size)} ${fr}` };
}

/** A fault as the import and REST report it. */
export const documentedFault = ({ field, code, message, parameters }: FieldFault, language: Language) => ({
  field: code === unknownField ? field : snakeCase(field),
  code,
  message: message[language],
  ...(parameters && { parameters }),
});

/** A fault as GraphQL reports it: once for each faulty element of a list. */
export function graphqlFaults(
  { field, path = [field], isArgument, elements, code, reason, message: messages, parameters }: FieldFault,
  language: Language,
) {
  const whole = [...(isArgument ? [] : ['input']), ...path];
  const paths = elements?.map((at) => [...whole, String(at)]) ?? [whole];
  const message = messages[language];
  return paths.map((each) => ({ path: each, code, reason, message, ...(parameters && { parameters }) }));
}

export const onArgument = (fault: FieldFault): FieldFault => ({ ...fault, isArgument: true });

export const notEmpty = { en: 'This field cannot be empty.', fr: 'Ce champ ne peut pas être vide.' };

const characters = { en: 'characters', fr: 'caractères' };

/** The types in `{field}-must-be-{type}`, and what asks for them. */
export const typeNames = {
  string: { en: 'Enter a text.', fr: 'Saisissez un texte.' },
  'array-of-strings': { en: 'Enter a list of texts.', fr: 'Saisissez une liste de textes.' },
  decimal: { en: 'Enter a number.', fr: 'Saisissez un nombre.' },
  file: { en: 'Choose a file.', fr: 'Choisissez un fichier.' },
} satisfies Record<string, Expected>;

export const isAtFault = (faults: readonly FieldFault[], name: string): boolean =>
  faults.some(({ field }) => field === name);

/** The faults of inputs without which nothing else is checked: those that could not be parsed, and those that are missing. */
export const requiredFaults = <Name extends string>(
  input: Readonly<Partial<Record<Name, unknown>>>,
  names: readonly Name[],
  parseFaults: readonly FieldFault[] = [],
): FieldFault[] => [
  ...parseFaults.filter(({ field }) => (names as readonly string[]).includes(field)),
  ...names
    .filter((name) => input[name] === '' && !isAtFault(parseFaults, name))
    .map((name) => fieldFault.missing(name)),
];
