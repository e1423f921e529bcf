import { catalogue, type Language } from './catalogue.js';
import { documentedName } from './documented-name.js';
import { type DomainError } from './domain-error.js';

/** The documented error body, and for validation-failed each fault besides (Contract 7.1, 7.3). */
interface ErrorBody {
  status: number;
  error: string;
  errorMessage: string;
  errors?: { field: string; code: string; message: string }[];
}

/** The body of a refusal as REST documents it, in one language. It has the faults of validation-failed, and never the cause. */
export function toErrorBody({ code, details }: DomainError, language: Language): ErrorBody {
  const { status, message } = catalogue[code];
  return {
    status,
    error: code,
    errorMessage: withHint(message[language], details.hint?.[language]),
    ...(details.faults && {
      errors: details.faults.map(({ field, code: faultCode, message: text }) => ({
        field: documentedName(field),
        code: faultCode,
        message: text[language],
      })),
    }),
  };
}

const withHint = (message: string, hint: string | undefined): string =>
  hint ? `${message.replace(/\.$/, '')}: ${hint}.` : message;
