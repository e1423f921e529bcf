import { catalogue, type Language } from './catalogue.js';
import { documentedName } from './documented-name.js';
import { type DomainError } from './domain-error.js';

/** The documented error body, and for validation-failed each fault besides (Contract 7.1, 7.3). */
export interface ErrorBody {
  status: number;
  error: string;
  errorMessage: string;
  errors?: { field: string; code: string; message: string }[];
}

export function toErrorBody({ code, details }: DomainError, language: Language): ErrorBody {
  const { status, message } = catalogue[code];
  return {
    status,
    error: code,
    errorMessage: withFields(message[language], details.changedFields),
    ...(details.faults && {
      errors: details.faults.map(({ field, code: faultCode, message: text }) => ({
        field: documentedName(field),
        code: faultCode,
        message: text[language],
      })),
    }),
  };
}

const withFields = (message: string, fields: readonly string[] = []): string =>
  fields.length === 0 ? message : `${message.replace(/\.$/, '')}: ${fields.join(', ')}.`;
