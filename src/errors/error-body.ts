import { catalogue, type Language } from './catalogue.js';
import { type DomainError } from './domain-error.js';
import { documentedFault } from './field-fault.js';

/** The documented error body (Contract 7.1.2, 7.3.1). Never includes the cause. */
export function toErrorBody({ code, details }: DomainError, language: Language) {
  const { status, message } = catalogue[code];
  return {
    status,
    error: code,
    errorMessage: withHint(message[language], details.hint?.[language]),
    ...(details.faults && {
      errors: details.faults.map((fault) => documentedFault(fault, language)),
    }),
  };
}

const withHint = (message: string, hint: string | undefined): string =>
  hint ? `${message.replace(/\.$/, '')}: ${hint}.` : message;
