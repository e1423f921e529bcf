import { catalogue, type Language, type LocalisedText } from './catalogue.js';
import { documentedName } from './documented-name.js';
import { type DomainError } from './domain-error.js';
import { documentedFault } from './field-fault.js';

/** The documented error body (Contract 7.1.2, 7.3.1). Never includes the cause. */
export function toErrorBody({ code, details }: DomainError, language: Language) {
  const { status, message } = catalogue[code];
  return {
    status,
    error: code,
    errorMessage: withHint(
      message,
      language,
      details.hint?.[language] ?? details.current?.changedFields.map(documentedName).join(', '),
    ),
    ...(code === 'validation-failed' && {
      errors: details.faults?.map((fault) => documentedFault(fault, language)),
    }),
  };
}

const colons: LocalisedText = { en: ': ', fr: ' : ' };

export const withHint = (message: LocalisedText, language: Language, hint: string | undefined): string =>
  hint ? `${message[language].replace(/\.$/, '')}${colons[language]}${hint}.` : message[language];
