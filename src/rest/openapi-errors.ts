import { catalogue, type ErrorCode, errorCodes } from '../errors/catalogue.js';
import { DomainError } from '../errors/domain-error.js';
import { toErrorBody } from '../errors/error-body.js';
import { fieldFault, typeNames } from '../errors/field-fault.js';
import { closedObject, type Json, reference, response } from './openapi-parts.js';

const errorHeaders: Record<number, readonly string[]> = {
  401: ['Required-WWW-Authenticate'],
  405: ['Required-Allow'],
  415: ['Accept-Post', 'Accept-Patch'],
  429: ['Required-Retry-After'],
  503: ['Retry-After'],
};

/** Errors whose messages also say what is wrong and where, or what would be right (Contract 7.1.5, 7.1.6, 9.1.3). */
const withHints: readonly ErrorCode[] = [
  'version-conflict',
  'body-format-error',
  'content-type-not-supported',
  'payload-too-large',
  'not-found',
];

/** The body of each error of the catalogue, by the name of its schema (Contract 7.1.1, 7.1.2). */
export const errorSchemas = (): Json =>
  Object.fromEntries(errorCodes.map((code) => [schemaName(code), errorSchema(code)]));

/** A fault of one field (Contract 7.3.2). */
export const fieldFaultSchema = closedObject(
  {
    field: { type: 'string', description: 'The request field, or the header in the words of one.' },
    code: {
      type: 'string',
      pattern: `^(missing-[\\w-]+|[\\w-]+-(must-be-(${Object.keys(typeNames).join('|')})|format-error|too-long|not-found))$`,
      description: 'Machine code, made of the field and what is wrong with it.',
    },
    message: { type: 'string', description: 'Human text, in the language asked for.' },
  },
  { description: 'One thing wrong with one field of the request.' },
);

/** What any request may be refused for: its address, its headers, or failures of its caller (Contract 4.3.1, 4.3.5, 8.3). */
const ofAnyRequest: readonly ErrorCode[] = [
  'body-format-error',
  'content-type-not-supported',
  'rate-limit-exceeded',
];

/** The refusals of an operation and of any request, by status. @param besides headers that any of them may have */
export function errorResponses(codes: readonly ErrorCode[], besides: readonly string[] = []): Json {
  const statuses = new Map<number, ErrorCode[]>();
  for (const code of [...codes, ...ofAnyRequest]) {
    const { status } = catalogue[code];
    statuses.set(status, [...(statuses.get(status) ?? []), code]);
  }
  return Object.fromEntries(
    [...statuses].map(([status, sharing]) => [String(status), errorResponse(status, sharing, besides)]),
  );
}

function errorResponse(status: number, codes: readonly ErrorCode[], besides: readonly string[]): Json {
  const schemas = codes.map((code) => reference('schemas', schemaName(code)));
  return response(
    codes.map((code) => `\`${code}\`: ${catalogue[code].message.en}`).join('\n\n'),
    {
      'application/json': {
        schema: schemas.length === 1 ? schemas[0] : { oneOf: schemas },
        examples: Object.fromEntries(codes.map((code) => [code, { value: exampleOf(code) }])),
      },
    },
    [...(errorHeaders[status] ?? []), ...besides],
  );
}

const schemaName = (code: ErrorCode): string =>
  `${code.replace(/(?:^|-)([a-z])/g, (_, letter: string) => letter.toUpperCase())}Body`;

function errorSchema(code: ErrorCode): Json {
  const { status, message } = catalogue[code];
  const texts = [...new Set(Object.values(message))];
  return closedObject(
    {
      status: { const: status, description: 'The HTTP status.' },
      error: { const: code, description: 'Machine code; it never changes.' },
      errorMessage: withHints.includes(code)
        ? {
            type: 'string',
            pattern: `^(${texts.map((text) => text.replace(/\.$/, '')).join('|')})(: .+)?\\.$`,
            description: 'Human text, in the language asked for.',
            examples: texts,
          }
        : { enum: texts, description: 'Human text, in the language asked for.' },
      ...(code === 'validation-failed' && {
        errors: {
          type: 'array',
          minItems: 1,
          items: reference('schemas', 'FieldFault'),
          description: 'Every fault of the request.',
        },
      }),
    },
    { description: message.en },
  );
}

function exampleOf(code: ErrorCode): object {
  const details = code === 'validation-failed' ? { faults: [fieldFault.missing('mediaPublicId')] } : {};
  return toErrorBody(new DomainError(code, details), 'en');
}
